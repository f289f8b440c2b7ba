-- Put views where they belong, made from the log at one version of the table; nobody's log is written.
-- Not by the partition's owner, so the version is compared: if it has moved, these views are old.
-- KEYS: state, public, lobby, due, then those named below   ARGV: version, head, table, row of the lobby, deadline in ms
--       or 0, number of words, (part of the public view, value)*, number of seats, (index of key, version, view)*,
--       number of lists, (index of key, n, record*)*
local version = redis.call('HGET', KEYS[1], 'ver') or '0'
if version ~= ARGV[1] then return {'CONFLICT', version} end
redis.call('HSET', KEYS[3], ARGV[3], ARGV[4])
if ARGV[5] == '0' then
  redis.call('ZREM', KEYS[4], ARGV[3])
else
  redis.call('ZADD', KEYS[4], 'NX', ARGV[5], ARGV[3])
end
local at = 7 + tonumber(ARGV[6])
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[2], 'ver', ARGV[1], 'head', ARGV[2], unpack(ARGV, 7, at - 1))
local seats = tonumber(ARGV[at])
at = at + 1
for _ = 1, seats do
  redis.call('HSET', KEYS[tonumber(ARGV[at])], 'ver', ARGV[at + 1], 'view', ARGV[at + 2])
  at = at + 3
end
local lists = tonumber(ARGV[at])
at = at + 1
for _ = 1, lists do
  local key, count = KEYS[tonumber(ARGV[at])], tonumber(ARGV[at + 1])
  redis.call('DEL', key)
  for record = at + 2, at + 1 + count do redis.call('RPUSH', key, ARGV[record]) end
  at = at + 2 + count
end
return {'OK'}
