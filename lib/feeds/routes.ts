import { type Answer, endpoint } from '../http/endpoint.ts';
import type { RunAnswer } from './feed-runs.ts';
import {
  FeedAnswer,
  FeedChangesAnswer,
  FeedChangesQuery,
  FeedCreate,
  FeedParams,
  FeedPatch,
  FeedPreviewAnswer,
  FeedPreviewBody,
  FeedRunAnswer,
  FeedRunParams,
  FeedRunQuery,
  FeedRunsAnswer,
  FeedRunsQuery,
  FeedsAnswer,
  FeedsQuery,
} from './schemas/feeds.ts';

const seller = { tag: 'Feeds', guard: 'secret-key', bucket: 'requests' } as const;
const feeds = () => import('./feeds.ts');
// The run engine brings the pipeline along: read when a run is asked for, not at a cold start.
const runs = () => import('./feed-runs.ts');

export const postFeeds = endpoint({
  ...seller,
  id: 'postFeeds',
  method: 'POST',
  path: '/v1/feeds',
  summary: 'Create a feed',
  description: 'A file at an https:// or sftp:// URL, pulled by the clock. The first pull is due at once.',
  body: FeedCreate,
  idempotent: true,
  errors: ['INVALID_PAYLOAD'],
  answers: { 201: FeedAnswer },
  handle: async ({ ctx, body }) => ({ status: 201, body: await (await feeds()).createFeed(ctx, body) }),
});

export const getFeeds = endpoint({
  ...seller,
  id: 'getFeeds',
  method: 'GET',
  path: '/v1/feeds',
  summary: 'List the account’s feeds',
  query: FeedsQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: FeedsAnswer },
  handle: async ({ ctx, query }) => ({ status: 200, body: await (await feeds()).listFeeds(ctx, query) }),
});

export const getFeed = endpoint({
  ...seller,
  id: 'getFeed',
  method: 'GET',
  path: '/v1/feeds/{id}',
  summary: 'Read a feed',
  params: FeedParams,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answers: { 200: FeedAnswer },
  handle: async ({ ctx, params }) => ({ status: 200, body: await (await feeds()).readFeed(ctx, params.id) }),
});

export const patchFeed = endpoint({
  ...seller,
  id: 'patchFeed',
  method: 'PATCH',
  path: '/v1/feeds/{id}',
  summary: 'Change a feed',
  description:
    'Changes the fields that are sent; null clears one. Once it is read otherwise, the next file is read whole.',
  params: FeedParams,
  body: FeedPatch,
  idempotent: true,
  errors: ['INVALID_PARAMS', 'INVALID_PAYLOAD', 'NOT_FOUND'],
  answers: { 200: FeedAnswer },
  handle: async ({ ctx, params, body }) => ({
    status: 200,
    body: await (await feeds()).changeFeed(ctx, params.id, body),
  }),
});

export const deleteFeed = endpoint({
  ...seller,
  id: 'deleteFeed',
  method: 'DELETE',
  path: '/v1/feeds/{id}',
  summary: 'Delete a feed',
  description: 'With its runs. The listings it brought stay as they are.',
  params: FeedParams,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answers: { 204: null },
  async handle({ ctx, params }) {
    await (await feeds()).removeFeed(ctx, params.id);
    return { status: 204, body: '' };
  },
});

export const postFeedRuns = endpoint({
  ...seller,
  id: 'postFeedRuns',
  method: 'POST',
  path: '/v1/feeds/{id}/runs',
  summary: 'Run a feed now',
  description:
    'Whatever its cadence. One run at a time: while one is under way, that one is answered. With `wait=true` the answer comes when the run has ended, failed ones too.',
  params: FeedParams,
  query: FeedRunQuery,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answers: { 200: FeedRunAnswer, 202: FeedRunAnswer },
  async handle({ ctx, params, query }) {
    return runAnswer(await (await runs()).startFeedRun(ctx, params.id, query.wait === 'true'));
  },
});

export const getFeedRuns = endpoint({
  ...seller,
  id: 'getFeedRuns',
  method: 'GET',
  path: '/v1/feeds/{id}/runs',
  summary: 'List a feed’s runs, newest first',
  params: FeedParams,
  query: FeedRunsQuery,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answers: { 200: FeedRunsAnswer },
  handle: async ({ ctx, params, query }) => ({
    status: 200,
    body: await (await feeds()).listFeedRuns(ctx, params.id, query),
  }),
});

export const getFeedRun = endpoint({
  ...seller,
  id: 'getFeedRun',
  method: 'GET',
  path: '/v1/feeds/{id}/runs/{run}',
  summary: 'Read a run of a feed',
  params: FeedRunParams,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answers: { 200: FeedRunAnswer },
  handle: async ({ ctx, params }) => ({
    status: 200,
    body: await (await feeds()).readFeedRun(ctx, params.id, params.run),
  }),
});

export const getFeedChanges = endpoint({
  ...seller,
  id: 'getFeedChanges',
  method: 'GET',
  path: '/v1/feeds/{id}/runs/{run}/changes',
  summary: 'List the trucks that a run changed',
  description:
    'Which trucks came, were changed or repriced, and went; of a held run which would go, before it is released.',
  params: FeedRunParams,
  query: FeedChangesQuery,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answers: { 200: FeedChangesAnswer },
  handle: async ({ ctx, params, query }) => ({
    status: 200,
    body: await (await feeds()).listRunChanges(ctx, params, query),
  }),
});

export const releaseFeedRun = endpoint({
  ...seller,
  id: 'releaseFeedRun',
  method: 'POST',
  path: '/v1/feeds/{id}/runs/{run}/release',
  summary: 'Let a held run delist',
  description:
    'Delists what the held snapshot lacks, except trucks that have changed since. Only while no later run has read a file. Releasing twice is harmless.',
  params: FeedRunParams,
  query: FeedRunQuery,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  answers: { 200: FeedRunAnswer, 202: FeedRunAnswer },
  async handle({ ctx, params, query }) {
    return runAnswer(await (await runs()).releaseRun(ctx, params, query.wait === 'true'));
  },
});

export const getFeedRejects = endpoint({
  ...seller,
  id: 'getFeedRejects',
  method: 'GET',
  path: '/v1/feeds/{id}/runs/{run}/rejects.csv',
  summary: 'Download all rejects of a run',
  description:
    'As CSV: line, vin, code, field, received, fix. Values that a spreadsheet would compute are escaped.',
  params: FeedRunParams,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
  media: ['text/csv; charset=utf-8'],
  headers: { 'Content-Disposition': ['The name of the file.', 'attachment; filename="run_1-rejects.csv"'] },
  answers: { 200: null },
  async handle({ ctx, params }) {
    const { feedRejects } = await import('./feed-rejects.ts');
    const headers = {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${params.run}-rejects.csv"`,
    };
    return { status: 200, body: await feedRejects(ctx, params.id, params.run), headers };
  },
});

export const postFeedPreview = endpoint({
  ...seller,
  id: 'postFeedPreview',
  method: 'POST',
  path: '/v1/feeds/preview',
  summary: 'Preview a file',
  description:
    'Reads a file as a feed would: `url` (with what opens the door), `sample`, or `sample_base64`. Answers what its columns are taken for, the first rows as records, and the pipeline’s verdict. Stores nothing.',
  bucket: 'batches',
  body: FeedPreviewBody,
  errors: ['INVALID_PAYLOAD'],
  answers: { 200: FeedPreviewAnswer },
  handle: async ({ ctx, body }) => ({
    status: 200,
    body: await (await import('./preview/preview-feed.ts')).previewFeed(ctx, body),
  }),
});

function runAnswer({ run, ended }: RunAnswer): Answer {
  if (ended) return { status: 200, body: run };
  return { status: 202, body: run, headers: { Location: `/v1/feeds/${run.feed_id}/runs/${run.id}` } };
}
