import { toList } from '../../../lib/truck/text/table.ts';

/**
 * URLs that must lead nowhere. `$` is the canary's port, which these tests let pass as if it were 80: only the check of
 * the address stands between the fetcher and the canary. Names resolve by NAMES.
 */
const PRIVATE_HOSTS = toList(`
  127.0.0.1, 127.1, 127.0.1, 127.0.0.1., 127.255.255.254, 2130706433, 017700000001, 0x7f000001,
  0x7f.0.0.1, 0177.0.0.1, 0x7f.1, 127.0.0.0x1, 0x7F.0X00.0.01, 0.0.0.0, 0, 0x0, 0.1.2.3, １２７.０.０.１,
  ①②⑦.⓪.⓪.①, 127。0。0。1, %31%32%37.0.0.1, 127.0.0%2e1, 10.0.0.1, 172.16.0.1, 172.31.255.255, 192.168.1.1,
  100.64.0.1, 169.254.169.254:$/latest/meta-data/, 0xa9fea9fe, 100.100.100.200, 168.63.129.16, 192.0.0.1,
  192.0.2.1, 198.18.0.1, 198.51.100.1, 203.0.113.1, 192.88.99.1, 224.0.0.1, 240.0.0.1, 255.255.255.255,
  [::1], [0:0:0:0:0:0:0:1], [::], [::ffff:127.0.0.1], [::ffff:7f00:1], [0:0:0:0:0:ffff:7f00:0001],
  [::127.0.0.1], [::ffff:0:127.0.0.1], [64:ff9b::127.0.0.1], [64:ff9b:1::7f00:1], [2002:7f00:1::],
  [2001:0:7f00:1::], [2001:470:1:2:0:5efe:127.0.0.1], [2001:db8::1], [3fff::1], [100::1], [fe80::1],
  [fc00::1], [fd00:ec2::254], [fec0::1], [ff02::1], [4000::1], [5f00::1]
`);
export const PRIVATE_LITERALS = PRIVATE_HOSTS.map(
  (host) => `http://${host}${host.includes('$') ? '' : ':$/'}`,
);

/** What the names below resolve to, answer by answer. */
export const NAMES: Readonly<Record<string, readonly string[]>> = {
  'loopback.canary': ['127.0.0.1'],
  'loopback6.canary': ['::1'],
  'mapped.canary': ['::ffff:127.0.0.1'],
  'private.canary': ['10.1.2.3'],
  'metadata.canary': ['169.254.169.254'],
  'unspecified.canary': ['0.0.0.0'],
  'nat64.canary': ['64:ff9b::7f00:1'],
  'zone.canary': ['fe80::1%lo'],
  'one-of-two.canary': ['93.184.216.34', '127.0.0.1'],
  'last-of-many.canary': ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::1'],
  'octal.canary': ['0177.0.0.1'],
  'nonsense.canary': ['not an address'],
  localhost: ['127.0.0.1', '::1'],
  'app.localhost': ['127.0.0.1'],
  'xn--lcalhost-n4a.canary': ['127.0.0.1'],
};

export const NAMES_TO_PRIVATE = [
  ...Object.keys(NAMES).map((name) => `http://${name}:$/`),
  'http://LOCALHOST:$/',
  'http://localhost.:$/',
  'http://ｌｏｃａｌｈｏｓｔ:$/',
  'http://loopback.canary.:$/',
  'http://ⓛoopback.canary:$/',
  'http://löcalhost.canary:$/',
  'http://loop\tback.canary:$/',
  'https://loopback.canary:$/',
];

/** Refused before any name is asked for. */
export const REFUSED_URLS = [
  'ftp://loopback.canary/',
  'file:///etc/passwd',
  'gopher://127.0.0.1:70/',
  'data:image/png;base64,AA',
  'javascript:1',
  'ws://127.0.0.1:$/',
  'blob:http://127.0.0.1/x',
  'dict://127.0.0.1:11211/',
  'about:blank',
  '//127.0.0.1:$/',
  '/',
  '',
  'http://user@127.0.0.1:$/',
  'http://user:pass@public.canary/',
  'http://public.canary@127.0.0.1:$/',
  'http://:x@public.canary/',
  'http://127.0.0.1\\@public.canary:$/x',
  'http://public.canary:$@127.0.0.1:$/',
  'http://public.canary:22/',
  'http://public.canary:6379/',
  'https://public.canary:8443/',
  'http://public.canary:0/',
  'http://public.canary:65536/',
  'http://127.0.0.1:8080/',
  'http://[::1',
  'http://[fe80::1%25lo]:$/',
  'http://[::ffff:127.0.0.1',
  'http://127.0.0.256:$/',
  'http://1.2.3.4.5:$/',
  'http:///',
  'http://',
  'http://public canary/',
  'http://%00.canary/',
];
