import { toTable } from '../../truck/text/table.ts';

const BROWSERS = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const NAMES: Readonly<Record<string, string>> = toTable({ Edg: 'Edge', OPR: 'Opera' });
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const;

/** `Firefox on Windows`, so that people recognise their sessions. */
export function describeBrowser(userAgent: string): string {
  const browser = BROWSERS.find((name) => userAgent.includes(`${name}/`));
  const system = SYSTEMS.find((name) => userAgent.includes(name));
  const name = browser ? (NAMES[browser] ?? browser) : 'A browser';
  return system ? `${name} on ${system}` : name;
}
