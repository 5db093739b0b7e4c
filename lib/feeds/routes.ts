import { endpoint } from '../http/endpoint.ts';
import { answerCsv, CSV } from '../http/safe-csv.ts';
import { PageQuery } from '../truck/json.ts';
import { type FeedRun, isUnderWay } from './feed.ts';
import {
  changeFeed,
  createFeed,
  listFeedRuns,
  listFeeds,
  listRunChanges,
  readFeed,
  readFeedRun,
  removeFeed,
} from './feeds.ts';
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
  FeedsAnswer,
} from './schemas/feeds.ts';

const seller = { tag: 'Feeds', guard: 'secret-key', bucket: 'requests' } as const;
const feeds = { ...seller, path: '/v1/feeds' } as const;
const feed = {
  ...seller,
  path: '/v1/feeds/{id}',
  params: FeedParams,
  errors: ['INVALID_PARAMS', 'NOT_FOUND'],
} as const;
const run = { ...feed, path: '/v1/feeds/{id}/runs/{run}', params: FeedRunParams } as const;
// The run engine brings the pipeline along: read when a run is asked for, not at a cold start.
const runs = () => import('./feed-runs.ts');

const answer = async (body: Promise<object>) => ({ status: 200, body: await body });

export const postFeeds = endpoint({
  ...feeds,
  id: 'postFeeds',
  method: 'POST',
  summary: 'Create a feed',
  description:
    'Creates a feed: a file at an https:// or sftp:// URL, pulled on a schedule. The first pull is due at once.',
  body: FeedCreate,
  idempotent: true,
  errors: ['INVALID_PAYLOAD'],
  answers: { 201: FeedAnswer },
  handle: async ({ ctx, body }) => ({ status: 201, body: await createFeed(ctx, body) }),
});

export const getFeeds = endpoint({
  ...feeds,
  id: 'getFeeds',
  method: 'GET',
  summary: 'List the account’s feeds',
  query: PageQuery,
  errors: ['INVALID_PARAMS'],
  answers: { 200: FeedsAnswer },
  handle: ({ ctx, query }) => answer(listFeeds(ctx, query)),
});

export const getFeed = endpoint({
  ...feed,
  id: 'getFeed',
  method: 'GET',
  summary: 'Read a feed',
  answers: { 200: FeedAnswer },
  handle: ({ ctx, params }) => answer(readFeed(ctx, params.id)),
});

export const patchFeed = endpoint({
  ...feed,
  id: 'patchFeed',
  method: 'PATCH',
  summary: 'Change a feed',
  description:
    'Changes the fields that are sent; null clears one. An enabled feed is then due at once, and its file is processed in full.',
  body: FeedPatch,
  idempotent: true,
  errors: [...feed.errors, 'INVALID_PAYLOAD'],
  answers: { 200: FeedAnswer },
  handle: ({ ctx, params, body }) => answer(changeFeed(ctx, params.id, body)),
});

export const deleteFeed = endpoint({
  ...feed,
  id: 'deleteFeed',
  method: 'DELETE',
  summary: 'Delete a feed',
  description: 'Deletes the feed and its runs. Its listings stay as they are.',
  answers: { 204: null },
  async handle({ ctx, params }) {
    await removeFeed(ctx, params.id);
    return { status: 204, body: '' };
  },
});

export const postFeedRuns = endpoint({
  ...feed,
  id: 'postFeedRuns',
  method: 'POST',
  path: '/v1/feeds/{id}/runs',
  summary: 'Run a feed now',
  description:
    'Starts a run regardless of the cadence. A feed has one run at a time: while one is in progress, it is returned.',
  query: FeedRunQuery,
  answers: { 200: FeedRunAnswer, 202: FeedRunAnswer },
  handle: async ({ ctx, params, query }) =>
    runAnswer(await (await runs()).startFeedRun(ctx, params.id, query.wait)),
});

export const getFeedRuns = endpoint({
  ...feed,
  id: 'getFeedRuns',
  method: 'GET',
  path: '/v1/feeds/{id}/runs',
  summary: 'List a feed’s runs, newest first',
  query: PageQuery,
  answers: { 200: FeedRunsAnswer },
  handle: ({ ctx, params, query }) => answer(listFeedRuns(ctx, params.id, query)),
});

export const getFeedRun = endpoint({
  ...run,
  id: 'getFeedRun',
  method: 'GET',
  summary: 'Read a run of a feed',
  answers: { 200: FeedRunAnswer },
  handle: ({ ctx, params }) => answer(readFeedRun(ctx, params.id, params.run)),
});

export const getFeedChanges = endpoint({
  ...run,
  id: 'getFeedChanges',
  method: 'GET',
  path: '/v1/feeds/{id}/runs/{run}/changes',
  summary: 'List the trucks that a run changed',
  query: FeedChangesQuery,
  answers: { 200: FeedChangesAnswer },
  handle: ({ ctx, params, query }) => answer(listRunChanges(ctx, params, query)),
});

export const releaseFeedRun = endpoint({
  ...run,
  id: 'releaseFeedRun',
  method: 'POST',
  path: '/v1/feeds/{id}/runs/{run}/release',
  summary: 'Release a held run',
  description:
    'Delists the trucks that the file lacks, except those that were changed after it. Not possible while a later run is under way.',
  query: FeedRunQuery,
  answers: { 200: FeedRunAnswer, 202: FeedRunAnswer },
  handle: async ({ ctx, params, query }) =>
    runAnswer(await (await runs()).releaseRun(ctx, params, query.wait)),
});

export const refuseFeedRun = endpoint({
  ...run,
  id: 'refuseFeedRun',
  method: 'POST',
  path: '/v1/feeds/{id}/runs/{run}/refuse',
  summary: 'Refuse a held run',
  description: 'Closes the run and delists nothing. A pulled file that does not change is not held again.',
  answers: { 200: FeedRunAnswer },
  handle: async ({ ctx, params }) => answer((await runs()).refuseRun(ctx, params)),
});

export const getFeedRejects = endpoint({
  ...run,
  id: 'getFeedRejects',
  method: 'GET',
  path: '/v1/feeds/{id}/runs/{run}/rejects.csv',
  summary: 'Download all rejects of a run',
  description:
    'Returns CSV with line, vin, code, field, received, fix, also and stock_number. Values that a spreadsheet would compute are escaped.',
  media: [CSV],
  headers: { 'Content-Disposition': ['The name of the file.', 'attachment; filename="run_1-rejects.csv"'] },
  answers: { 200: null },
  async handle({ ctx, params }) {
    const { feedRejects } = await import('./feed-rejects.ts');
    return answerCsv(`${params.run}-rejects.csv`, await feedRejects(ctx, params.id, params.run));
  },
});

export const postFeedPreview = endpoint({
  ...seller,
  id: 'postFeedPreview',
  method: 'POST',
  path: '/v1/feeds/preview',
  summary: 'Preview a file',
  description:
    'Reads a file as a feed would: `url` (with its credentials), `sample`, or `sample_base64`. Returns the detected column mapping, the first rows as records, and how each would be validated. Stores nothing.',
  bucket: 'batches',
  body: FeedPreviewBody,
  errors: ['INVALID_PAYLOAD'],
  answers: { 200: FeedPreviewAnswer },
  handle: async ({ ctx, body }) => answer((await import('./preview/preview-feed.ts')).previewFeed(ctx, body)),
});

function runAnswer(run: FeedRun) {
  if (!isUnderWay(run)) return { status: 200, body: run };
  return { status: 202, body: run, headers: { Location: `/v1/feeds/${run.feed_id}/runs/${run.id}` } };
}
