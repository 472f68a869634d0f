-- POSTs drafts of a questionnaire for each client in turn, each time with a new answer to one of five questions.
-- usage: wrk -s drafts.lua URL -- PATH CLIENTS TAG      (TAG differs from run to run)
dofile(os.getenv("BENCH_SCRIPTS") .. "/report.lua")

local path, clients, tag, count = "", 1, "", 0
local headers = { ["Content-Type"] = "application/json" }

function init(args)
  path, clients, tag = args[1], tonumber(args[2]), args[3]
end

function request()
  count = count + 1
  return wrk.format("POST", path, headers,
    '{"client_id":"client-' .. (count % clients) .. '","answers":{"q' .. (count % 5) .. '":"' .. tag .. count .. '"}}')
end
