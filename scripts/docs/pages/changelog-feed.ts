/** CHANGELOG.md as RSS: an item for each change and each limit, so that a feed reader announces what is new. */
export function changelogFeed(changelog: string, address: string): string {
  const page = `${address}/docs/changelog.html`;
  const items = listChanges(changelog).map(
    ({ title, text }) =>
      `<item><title>${escapeXml(title)}</title><link>${page}</link><guid isPermaLink="false">${escapeXml(text)}</guid><description>${escapeXml(text)}</description></item>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0"><channel>
<title>Commercial Truck Inventory API: changelog</title>
<link>${page}</link>
<description>Changes of the API, and of its limits 30 days before they hold.</description>
${items.join('\n')}
</channel></rss>
`;
}

interface Change {
  title: string;
  text: string;
}

/** The bullets of every section, and the rows of the table of limits. */
function listChanges(changelog: string): Change[] {
  const [, ...sections] = changelog.split(/^## /m);
  return sections.flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const body = lines.join('\n').replaceAll(/\n {2}(?=\S)/g, ' ');
    const bullets = body.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.slice(2)] : []));
    const rows = body.split('\n').flatMap((line) => toRow(line));
    return [...bullets, ...rows].map((text) => ({ title: `${heading}: ${shorten(text)}`, text }));
  });
}

/** `| since | limit | value |` → one line; heads and rulers are none. */
function toRow(line: string): string[] {
  const [since, limit, value] = line
    .split('|')
    .slice(1)
    .map((cell) => cell.trim());
  if (!since || !limit || !value || since === 'Since' || since.startsWith('---')) return [];
  return [`${limit}: ${value} (${since})`];
}

const plain = (text: string) => text.replaceAll(/`|\[|\]\([^)]*\)/g, '');
const shorten = (text: string) => {
  const [sentence = ''] = plain(text).split(/(?<=\.) /);
  return sentence.length > 90 ? `${sentence.slice(0, 89)}…` : sentence;
};

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const escapeXml = (text: string) => plain(text).replaceAll(/[&<>]/g, (sign) => ENTITIES[sign] ?? sign);
