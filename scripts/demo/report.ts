import type * as z from 'zod/mini';
import type { Listing } from '../../lib/contract/inventory.ts';
import type { RawTruck } from './dealer-file.ts';
import type { Pushed, Rejected } from './push.ts';
import type { Seller } from './seller.ts';
import { count, seconds, type Terminal, wrapped } from './terminal.ts';

/** What the demo tells of the service's answers. Every number, code and fix comes from an answer itself. */

const INDENT = '    ';

/** What became of the file; `earlier` is the run that pushed the same file first. */
export function reportPush(out: Terminal, pushed: Pushed, earlier: Seller['first_run']): void {
  const rate = Math.round((pushed.received * 1000) / Math.max(1, pushed.ms));
  const before = earlier === null ? '' : ` ${out.dim(`(first run: ${seconds(earlier.push_ms)})`)}`;
  out.print();
  out.print(
    `  ${out.green('✓')} ${out.bold(headline(pushed))} in ${out.bold(seconds(pushed.ms))}${before}${out.dim(`, ${count(rate)} records/s`)}`,
  );
  out.print();
  line('created', pushed.created, 'new listings');
  line(
    'merged',
    pushed.merged,
    earlier === null
      ? 'posted twice in the file: one listing, the later line wins'
      : 'changed since the last push',
  );
  line('unchanged', pushed.unchanged, 'known already, not a row written');
  line('rejected', pushed.rejected, 'not stored; what to change is said below');
  const warned = pushed.accepted.filter((result) => result.warnings.length > 0);
  if (warned.length > 0) line('warnings', warned.length, `good, with a remark: ${frequent(warned)}`);

  function line(name: string, value: number, meaning: string): void {
    const shown = `${INDENT}${name.padEnd(10)}${count(value).padStart(6)}   `;
    out.print(
      value === 0 ? out.dim(shown.trimEnd()) : shown + out.dim(wrapped(meaning, out.width, shown.length)),
    );
  }
}

function headline(pushed: Pushed): string {
  const main =
    (['created', 'merged', 'unchanged'] as const).toSorted((a, b) => pushed[b] - pushed[a])[0] ?? 'created';
  return `${count(pushed[main])} ${main}`;
}

/** 'VIN_CHECK_DIGIT 4, MAKE_CORRECTED 3': the five most frequent codes, each counted once a record. */
function frequent(warned: Pushed['accepted']): string {
  const counts = new Map<string, number>();
  for (const { warnings } of warned) {
    for (const code of new Set(warnings.map((warning) => warning.code)))
      counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted((a, b) => b[1] - a[1]);
  return sorted
    .slice(0, 5)
    .map(([code, times]) => `${code} ${times}`)
    .join(', ');
}

/** Each code once: how often, one record that met it, and the fix the service gave for it. */
export function reportRejects(out: Terminal, rejects: readonly Rejected[]): void {
  const byCode = Map.groupBy(rejects, (reject) => reject.error.code);
  if (byCode.size === 0) return;
  const widest = Math.max(...[...byCode.keys()].map((code) => code.length));
  out.print();
  out.print(
    `  ${out.bold('Rejected')} ${out.dim('by code, each with one example and its fix, as answered')}`,
  );
  out.print();
  for (const [code, group] of [...byCode].toSorted((a, b) => b[1].length - a[1].length)) {
    const [example] = group;
    if (example === undefined) continue;
    const head = `${String(group.length).padStart(8)}  ${out.yellow(code.padEnd(widest))}`;
    out.print(`${head}  ${out.dim(`record ${example.index + 1}, ${inShort(example)}`)}`);
    out.print(`${' '.repeat(10)}${wrapped(example.error.details.fix, out.width, 10)}`);
  }
}

/** '1FVACXDT8EHDF1355, price 0' */
function inShort({ vin, error: { details } }: Rejected): string {
  const fault =
    details.received === null
      ? `no ${details.field}`
      : `${details.field} ${JSON.stringify(details.received)}`;
  return vin === null || details.field === 'vin' ? fault : `${vin}, ${fault}`;
}

/** What was sent and what is stored, both shortened to what a reader wants to see. */
export function reportListing(out: Terminal, sent: RawTruck, listing: z.output<typeof Listing>): void {
  const { location } = listing;
  const place = [location?.city, location?.state, location?.zip].filter(Boolean).join(' ');
  row('sent', out.dim(wrapped(excerpt(sent), out.width, 14)));
  row('vin', `${listing.vin}  ${out.dim(`check digit ${listing.vin_facts.check_digit}`)}`);
  row('truck', [listing.year, listing.make, listing.model].filter(Boolean).join(' '));
  row('kind', [listing.class, weight(listing.gvwr), listing.body_type].filter(Boolean).join(' · '));
  row('price', listing.price === null ? 'call for price' : `$${count(listing.price)}`);
  row('mileage', listing.mileage === null ? 'unknown' : `${count(listing.mileage)} mi`);
  row(
    'place',
    `${place}  ${out.dim(`${location?.latitude}, ${location?.longitude} from its ${location?.source}`)}`,
  );
  row('dealer', listing.dealer ?? 'none');
  row('quality', `${listing.quality.score} of 100${missing(listing.quality.missing)}`);
  row('status', `${listing.status}  ${out.dim(`first seen ${listing.first_seen_at}`)}`);

  function row(name: string, value: string): void {
    out.print(`${INDENT}${out.dim(name.padEnd(9))} ${value}`);
  }
}

/** The members that say how a record was written, as JSON without braces. */
function excerpt(sent: RawTruck): string {
  const shown = Object.entries(sent).filter(([, value]) => typeof value === 'string' && value.length < 30);
  return shown
    .slice(0, 10)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ');
}

function weight(gvwr: number | null): string {
  return gvwr === null ? '' : `${count(gvwr)} lb`;
}

function missing(names: readonly string[]): string {
  return names.length === 0 ? '' : `, missing ${names.slice(0, 3).join(', ')}`;
}

export interface TryOut {
  url: string;
  key: string;
  /** The file that has the key; null when none has. */
  keyFile: string;
  /** One to read, one to mark as sold. */
  vin: string;
  another: string;
}

/** Lines to copy into a shell. */
export function reportTryOut(out: Terminal, { url, key, keyFile, vin, another }: TryOut): void {
  const bearer = out.isWatched ? `-H 'Authorization: Bearer ${key}'` : '-H "Authorization: Bearer $KEY"';
  const lines = [
    ...(out.isWatched
      ? []
      : [
          [
            'the key, which is shown on a terminal only',
            `KEY=$(grep -om1 'ctis_sk_[0-9A-Za-z_]*' ${keyFile})`,
          ],
        ]),
    ['read a truck', `curl -s ${url}/v1/inventory/${vin} ${bearer}`],
    [
      'mark one sold',
      `curl -s -X PATCH ${url}/v1/inventory ${bearer} -d '{"vin":"${another}","status":"sold"}'`,
    ],
    [
      'send one, storing nothing',
      `curl -s '${url}/v1/inventory?dry_run=true' ${bearer} -d '{"vin":"3AKJHHDR0KSKA1234","year":2019,"make":"FRHT","price":"$54,900"}'`,
    ],
  ];
  out.print();
  out.print(`  ${out.bold('Try it yourself')}`);
  for (const [what, command] of lines) {
    out.print();
    out.print(`${INDENT}${out.dim(`# ${what}`)}`);
    out.print(`${INDENT}${command}`);
  }
  out.print();
  out.print(`  ${out.bold('Docs')}  ${url}/docs`);
}
