"""XXH3, 64 bits, seed 0, with its default secret: in plain Python, some ten megabytes a second."""
import operator
import struct

MASK = (1 << 64) - 1
LOW = (1 << 32) - 1
PRIME32 = 0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D
PRIME64 = 0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5
MIX = 0x165667919E3779F9
SMALL = 0x9FB21C651E98DF25
SECRET = bytes.fromhex(
    'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671fcb79e64eccc0e578825ad07dccff7221'
    'b8084674f743248ee03590e6813a264c3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8'
    'a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364eac5ac8334d3ebc3c581a0fffa1363eb'
    '170ddd51b7f0da49d316552629d4689e2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e')
KEYS = struct.unpack('<24Q', SECRET)
STRIPE = 64
BLOCK = 1024


def word(data, at):
    return int.from_bytes(data[at:at + 8], 'little')


def half(data, at):
    return int.from_bytes(data[at:at + 4], 'little')


def fold(a, b):
    """Both halves of the product of 128 bits in one."""
    product = a * b
    return (product & MASK) ^ (product >> 64)


def rotate(h, n):
    return (h << n | h >> (64 - n)) & MASK


def avalanche(h):
    h ^= h >> 37
    h = h * MIX & MASK
    return h ^ h >> 32


def avalanche64(h):
    h ^= h >> 33
    h = h * PRIME64[1] & MASK
    h ^= h >> 29
    h = h * PRIME64[2] & MASK
    return h ^ h >> 32


def mix16(data, at, key):
    return fold(word(data, at) ^ word(SECRET, key), word(data, at + 8) ^ word(SECRET, key + 8))


def up_to_16(data):
    n = len(data)
    if n > 8:
        low = word(data, 0) ^ word(SECRET, 24) ^ word(SECRET, 32)
        high = word(data, n - 8) ^ word(SECRET, 40) ^ word(SECRET, 48)
        return avalanche(n + int.from_bytes(low.to_bytes(8, 'little'), 'big') + high + fold(low, high) & MASK)
    if n >= 4:
        h = (half(data, n - 4) + (half(data, 0) << 32)) ^ word(SECRET, 8) ^ word(SECRET, 16)
        h ^= rotate(h, 49) ^ rotate(h, 24)
        h = h * SMALL & MASK
        h ^= (h >> 35) + n
        h = h * SMALL & MASK
        return h ^ h >> 28
    if n:
        mixed = data[0] << 16 | data[n >> 1] << 24 | data[n - 1] | n << 8
        return avalanche64(mixed ^ half(SECRET, 0) ^ half(SECRET, 4))
    return avalanche64(word(SECRET, 56) ^ word(SECRET, 64))


def up_to_240(data):
    n = len(data)
    h = n * PRIME64[0]
    if n <= 128:
        for i in range((n - 1) // 32 + 1):
            h += mix16(data, 16 * i, 32 * i) + mix16(data, n - 16 * (i + 1), 32 * i + 16)
        return avalanche(h & MASK)
    h = avalanche((h + sum(mix16(data, 16 * i, 16 * i) for i in range(8))) & MASK)
    h += sum(mix16(data, 16 * i, 16 * (i - 8) + 3) for i in range(8, n // 16))
    return avalanche(h + mix16(data, n - 16, 119) & MASK)


def stripes(lanes, words, keys):
    """Adds stripes of eight words to the eight lanes; the key moves on by a word a stripe."""
    count = len(words) // 8
    for i in range(8):
        mixed = map(operator.xor, words[i::8], keys[i:i + count])
        lanes[i] += sum([(x & LOW) * (x >> 32) for x in mixed])
        lanes[i ^ 1] += sum(words[i::8])


def long(data):
    n = len(data)
    lanes = [PRIME32[2], PRIME64[0], PRIME64[1], PRIME64[2], PRIME64[3], PRIME32[1], PRIME64[4], PRIME32[0]]
    blocks = (n - 1) // BLOCK
    for b in range(blocks):
        stripes(lanes, struct.unpack_from('<128Q', data, b * BLOCK), KEYS)
        for i, h in enumerate(lanes):
            h &= MASK
            lanes[i] = (h ^ h >> 47 ^ KEYS[16 + i]) * PRIME32[0] & MASK
    left = (n - 1 - blocks * BLOCK) // STRIPE
    stripes(lanes, struct.unpack_from('<%dQ' % (8 * left), data, blocks * BLOCK), KEYS)
    stripes(lanes, struct.unpack_from('<8Q', data, n - STRIPE), struct.unpack_from('<8Q', SECRET, 121))
    h = n * PRIME64[0]
    for i in range(4):
        h += fold(lanes[2 * i] & MASK ^ word(SECRET, 11 + 16 * i), lanes[2 * i + 1] & MASK ^ word(SECRET, 19 + 16 * i))
    return avalanche(h & MASK)


def xxh3(data):
    """The checksum of some bytes."""
    n = len(data)
    return up_to_16(data) if n <= 16 else up_to_240(data) if n <= 240 else long(data)
