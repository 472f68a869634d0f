-- POSTs one OFREP request for each client in turn, again and again.
-- usage: wrk -s flags.lua URL -- PATH CLIENTS
dofile(os.getenv("BENCH_SCRIPTS") .. "/report.lua")

local requests, place = {}, 0
local headers = { ["Content-Type"] = "application/json" }

function init(args)
  for number = 0, tonumber(args[2]) - 1 do
    requests[#requests + 1] = wrk.format("POST", args[1], headers,
      '{"context":{"targetingKey":"client-' .. number .. '","locale":"en-US","os_version":"17.4"}}')
  end
end

function request()
  place = place % #requests + 1
  return requests[place]
end
