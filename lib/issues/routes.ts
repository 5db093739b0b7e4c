import { endpoint } from '../http/endpoint.ts';
import { answerCsv, CSV } from '../http/safe-csv.ts';
import { IssuesAnswer, IssuesQuery } from './schemas.ts';

export const getIssues = endpoint({
  id: 'getIssues',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/issues',
  tag: 'Inventory',
  summary: 'List what is not listed now, and why',
  description:
    'One entry per truck and source, last seen first: opened by the write or the feed run that rejects a record, closed when the truck is accepted from any source, by a status of sold or delisted, and when a feed’s file no longer has it. Kept for 30 days after it was last seen, 10,000 an account. Dry runs leave none, and what a person left out in the dashboard is not in the list.',
  guard: 'secret-key',
  bucket: 'requests',
  query: IssuesQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: IssuesAnswer },
  media: [CSV],
  headers: {
    'Content-Disposition': ['Of `csv`: the name of the file.', 'attachment; filename="issues.csv"'],
  },
  async handle({ ctx, query }) {
    const { exportIssues, listIssues } = await import('./issues.ts');
    if (query.format !== 'csv') return { status: 200, body: await listIssues(ctx, query) };
    return answerCsv('issues.csv', await exportIssues(ctx, query));
  },
});
