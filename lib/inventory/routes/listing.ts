import { hash } from 'node:crypto';
import { runWrite } from '../../http/dry-run.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readListing } from '../read-listing.ts';
import { EraseQuery, Listing, VinParams } from '../schemas.ts';

const seller = { tag: 'Inventory', guard: 'secret-key', bucket: 'requests' } as const;

export const getInventory = endpoint({
  ...seller,
  id: 'getInventory',
  boundToDealer: true,
  method: 'GET',
  path: '/v1/inventory/{vin}',
  summary: 'Read one truck by VIN',
  description:
    'Returns the stored and enriched record. Send its ETag as `If-None-Match` to get 304 while it is unchanged.',
  params: VinParams,
  paramsCode: 'INVALID_VIN',
  errors: ['INVALID_VIN', 'NOT_FOUND'],
  answers: { 200: Listing, 304: null },
  async handle({ ctx, params }) {
    const json = JSON.stringify(await readListing(ctx, params.vin));
    const etag = `"${hash('sha1', json, 'base64url')}"`;
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' };
    return ctx.fresh(etag) ? { status: 304, body: '', headers } : { status: 200, body: json, headers };
  },
});

export const deleteInventory = endpoint({
  ...seller,
  id: 'deleteInventory',
  boundToDealer: true,
  method: 'DELETE',
  path: '/v1/inventory/{vin}',
  summary: 'Erase a mistyped VIN',
  description:
    'Erases the listings of the VIN with their history, and the images that no other truck uses. Use it for a mistyped VIN only: set a truck that is gone to `sold` or `delisted`, so that polling clients see the change. Repeating the call returns 204.',
  params: VinParams,
  paramsCode: 'INVALID_VIN',
  query: EraseQuery,
  errors: ['INVALID_VIN'],
  answers: { 204: null },
  async handle({ ctx, params, query }) {
    const { eraseListing } = await import('../erase-listing.ts');
    await runWrite(ctx, query.dry_run, (transaction) =>
      eraseListing(transaction, params.vin, query.source_provider_id),
    );
    return { status: 204, body: '' };
  },
});
