-- Extend a lease; a length of 0 ends it at once. The epoch decides, as in a commit.
-- KEYS: own   ARGV: epoch, lease in ms
local epoch = redis.call('HGET', KEYS[1], 'epoch')
if epoch ~= ARGV[1] then return {'FENCED', epoch or ''} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HSET', KEYS[1], 'until', string.format('%.0f', now + ARGV[2]), 'seen', string.format('%.0f', now))
return {'OK'}
