-- POSTs behaviour events for each client in turn, each event with its own id.
-- usage: wrk -s events.lua URL -- PATH EVENTS_PER_REQUEST CLIENTS TAG      (TAG differs from run to run)
dofile(os.getenv("BENCH_SCRIPTS") .. "/report.lua")

local path, events, clients, tag, count = "", 1, 1, "", 0
local headers = { ["Content-Type"] = "application/json" }

function init(args)
  path, events, clients, tag = args[1], tonumber(args[2]), tonumber(args[3]), args[4]
end

function request()
  count = count + 1
  local parts = {}
  for n = 1, events do
    parts[n] = '{"type":"behavior","name":"app_cycle.foreground","id":"' .. tag .. count .. "-" .. n .. '"}'
  end
  return wrk.format("POST", path, headers,
    '{"client_id":"client-' .. (count % clients) .. '","events":[' .. table.concat(parts, ",") .. "]}")
end
