-- Every request is a GET from a new client, whose id replaces CLIENT in the path.
-- usage: wrk -s strangers.lua URL -- PATH TAG      (TAG differs from run to run)
dofile(os.getenv("BENCH_SCRIPTS") .. "/report.lua")

local before, after, tag, count = "", "", "", 0

function init(args)
  local request = wrk.format("GET", args[1], {})
  before, after = request:match("^(.-)CLIENT(.*)$")
  tag = args[2]
end

function request()
  count = count + 1
  return before .. tag .. count .. after
end
