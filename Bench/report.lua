-- Shared by the scripts of this folder. Prints one line that the benchmark reads; with BENCH_COUNT set it also counts the
-- answers by status. The count costs wrk much time, so a separate run does it before the measured runs.
local threads = {}
function setup(thread) table.insert(threads, thread) end

if os.getenv("BENCH_COUNT") then
  function response(status)
    local name = "status_" .. status
    _G[name] = (_G[name] or 0) + 1
  end
end

function done(summary, latency)
  local failed = summary.errors
  io.write(string.format("bench requests=%d microseconds=%d bytes=%d p50=%d p99=%d socket_errors=%d error_statuses=%d",
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99),
    failed.connect + failed.read + failed.write + failed.timeout, failed.status))
  for status = 100, 599 do
    local count = 0
    for _, thread in ipairs(threads) do count = count + (thread:get("status_" .. status) or 0) end
    if count > 0 then io.write(string.format(" status_%d=%d", status, count)) end
  end
  io.write("\n")
end
