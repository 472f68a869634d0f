-- GETs the lines of a file again and again. A line is a path, and after a tab the If-None-Match of the request.
-- usage: wrk -s replay.lua URL -- FILE [FIRST LINE, from 0]
dofile(os.getenv("BENCH_SCRIPTS") .. "/report.lua")

local requests, place = {}, 0

function init(args)
  for line in io.lines(args[1]) do
    local path, tag = line:match("^([^\t]+)\t?(.*)$")
    requests[#requests + 1] = wrk.format("GET", path, tag ~= "" and { ["If-None-Match"] = tag } or {})
  end
  place = tonumber(args[2] or 0)
end

function request()
  place = place % #requests + 1
  return requests[place]
end
