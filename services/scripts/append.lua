-- Let a command into the inbox of its partition.
-- KEYS: inbox, and with a claim the HASH it names
-- ARGV: command, most entries of the inbox, and with a claim its field and what must be stored there
if KEYS[2] and redis.call('HGET', KEYS[2], ARGV[3]) ~= ARGV[4] then return {'LOST'} end
if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[2]) then return {'FULL'} end
return {'OK', redis.call('XADD', KEYS[1], '*', 'c', ARGV[1])}
