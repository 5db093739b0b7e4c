import { endpoint } from '../http/endpoint.ts';
import { answerCsv, CSV } from '../http/safe-csv.ts';
import { IssuesAnswer, IssuesQuery } from './schemas.ts';

export const getIssues = endpoint({
  id: 'getIssues',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/issues',
  tag: 'Inventory',
  summary: 'List rejected trucks and why',
  description:
    'Returns one issue per truck and source, last seen first. A write or feed run that rejects a record opens it. It ends when the truck is accepted from any source, sold, delisted or erased, or no longer in the feed’s file. Issues are kept for 30 days after they were last seen (of a pulled feed: while its file has them), at most 10,000 per account. Dry runs open none. `left_out=true` returns those left out in the dashboard.',
  guard: 'secret-key',
  bucket: 'requests',
  query: IssuesQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: IssuesAnswer },
  media: [CSV],
  headers: {
    'Content-Disposition': ['With `csv`: the name of the file.', 'attachment; filename="issues.csv"'],
  },
  async handle({ ctx, query }) {
    const { exportIssues, listIssues } = await import('./issues.ts');
    if (query.format !== 'csv') return { status: 200, body: await listIssues(ctx, query) };
    return answerCsv('issues.csv', exportIssues(ctx, query));
  },
});
