import { writeFileSync } from 'node:fs';
import { measureRules } from '../tests/truth/measure.ts';

/** `npm run truth`: measures the rules of reading by the labelled probes and writes docs/truth.md. */

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const rows = measureRules().map(
  ({ rule, probes, precision, recall }) =>
    `| ${rule} | ${probes} | ${percent(precision)} | ${percent(recall)} |`,
);
const text = `# How right the readings are

Measured by \`npm run truth\` from the labelled probes of \`tests/truth/probes.ts\`: texts as dealers and marketplaces write
them. Precision is how many of the values that were read are right; recall, how many of those there are were read.

| Rule | Probes | Precision | Recall |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
writeFileSync(new URL('../docs/truth.md', import.meta.url), text);
console.log(text);
