import { expect, test } from 'vitest';
import { cleanTruck } from '../../support/samples/trucks.ts';
import { queryRows, setImages, tablesContaining } from '../../support/service/database.ts';
import { startService } from '../../support/service/service.ts';

test('an erased truck leaves only an audit row, what it shared stays, and erasing it again is 204', async () => {
  const service = await startService();
  const account = await service.newAccount();
  const [ownImage, sharedImage] = ['own', 'shared'].map(
    (name) => `https://img.example/${account.id}/${name}.jpg`,
  );
  const truck = cleanTruck({
    images: [ownImage, sharedImage],
    description: `Only here: ${account.id}-erased`,
  });
  await account.post({ ...truck, source_provider_id: 'dms' });
  await account.post({ ...truck, source_provider_id: 'site' });
  const otherTruck = cleanTruck({ images: [sharedImage] });
  await account.post(otherTruck);
  await setImages(account.id, [`${ownImage}`, `${sharedImage}`], 'failed');
  const path = `/v1/inventory/${truck.vin}`;

  expect((await account.call('DELETE', `${path}?dry_run=true`)).status).toBe(204);
  expect((await account.call('DELETE', `${path}?source_provider_id=dms`)).status).toBe(204);
  expect((await account.call('DELETE', `${path}?source_provider_id=`)).status, 'of none').toBe(204);
  expect((await account.call('GET', path)).body.sources).toHaveLength(1);
  for (let tries = 0; tries < 2; tries++) expect((await account.call('DELETE', path)).status).toBe(204);

  expect((await account.call('GET', path)).status).toBe(404);
  expect(await tablesContaining(`${account.id}-erased`)).toEqual([]);
  const images = await queryRows('select url from image_sources where account_id = $1', [account.id]);
  expect(images).toEqual([{ url: sharedImage }]);
  const { body } = await account.call('GET', '/v1/inventory?make=freightliner');
  expect(body).toMatchObject({
    count: { value: 1 },
    facets: { make: [{ value: 'Freightliner', count: 1 }] },
  });
  const audit = await queryRows(
    `select detail from audit where action = 'listing.erase' and target = $1 order by id`,
    [account.id],
  );
  const erased = { detail: { vin: truck.vin, listings: 1 } };
  expect(audit).toEqual([erased, erased]);
  expect((await account.call('DELETE', '/v1/inventory/short')).body.error.code).toBe('INVALID_VIN');
});
