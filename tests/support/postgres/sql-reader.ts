import { TENANT_TABLES } from '../../../drizzle/schema/tenant-tables.ts';
import { HOME } from '../../../lib/db/fragments.ts';
import { toList } from '../../../lib/truck/text/table.ts';

/** What a statement begins with, or a part of one in parentheses, that crosses accounts on purpose. */
const ALL_ACCOUNTS = '/* all accounts */';

/** Tenant tables that a text reads or writes without naming the account in the same scope. */
export function withoutAccount(text: string): string[] {
  if (text.trimStart().startsWith(ALL_ACCOUNTS)) return [];
  const flat = text
    .replaceAll('"', '')
    .replaceAll(HOME, OWN_HOME)
    .replace(/--.*$/gm, '')
    .replace(/'[^']*'/g, "''")
    .toLowerCase();
  return TENANT_TABLES.filter((table) => {
    const uses = flat.matchAll(
      new RegExp(`\\b(from|join|into|update|,)\\s+${table}\\b(?:\\s+(?:as\\s+)?(\\w+))?`, 'g'),
    );
    return [...uses].some((use) => !isScoped(flat, use, table));
  });
}

function isScoped(text: string, use: RegExpMatchArray, table: string): boolean {
  const [, verb, word] = use;
  const scope = scopeAround(text, use.index ?? 0);
  if (scope.includes(ALL_ACCOUNTS)) return true;
  if (verb === 'into')
    return new RegExp(`into\\s+${table}\\b[^(]*\\(account_id\\b`).test(scope) && namesAccount(scope);
  const alias = word && !KEYWORDS.has(word) ? word : null;
  const names = alias ? [`${alias}\\.`] : [`${table}\\.`, '(?<![.\\w])'];
  return names.some((name) => new RegExp(`${name}account_id\\s*=\\s*\\$\\d+`).test(scope));
}

/** What an insert takes its account from: the parameter, or the one row that the account has in `account_homes`. */
const OWN_HOME = 'own_home as home';
const namesAccount = (scope: string) =>
  /\$1\b/.test(scope) || (scope.includes(OWN_HOME) && /\bselect home\.account_id\b/.test(scope));

const KEYWORDS = new Set(toList('where, set, join, left, order, limit, on, group, returning, having, for'));

/** The text of the innermost parentheses around a place, without what stands in deeper ones before or after it. */
function scopeAround(text: string, at: number): string {
  let start = 0;
  let end = text.length;
  let depth = 0;
  for (let i = at; i >= 0; i -= 1) {
    if (text[i] === ')') depth += 1;
    if (text[i] === '(' && depth-- === 0) {
      start = i + 1;
      break;
    }
  }
  depth = 0;
  for (let i = at; i < text.length; i += 1) {
    if (text[i] === '(') depth += 1;
    if (text[i] === ')' && depth-- === 0) {
      end = i;
      break;
    }
  }
  return withoutNestedSelects(text.slice(start, end));
}

/** An account named in a sub-select says nothing of the select around it. */
function withoutNestedSelects(scope: string): string {
  let out = '';
  const stack: boolean[] = [];
  for (let i = 0; i < scope.length; i += 1) {
    const char = scope[i];
    if (char === '(')
      stack.push(
        /^\(\s*(?:\/\*.*?\*\/\s*)?(select|insert|update|delete|with)\b/.test(scope.slice(i, i + 40)),
      );
    if (!stack.includes(true)) out += char;
    if (char === ')') stack.pop();
  }
  return out;
}
