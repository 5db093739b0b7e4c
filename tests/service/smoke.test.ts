import { expect, test } from 'vitest';
import { goodTruck, startService } from '../support/service.ts';

test('a truck is posted, read, repriced, sold', async () => {
  const service = await startService();
  const account = await service.newAccount();
  const truck = goodTruck();
  const created = await account.call('POST', '/api/v1/inventory', truck);
  expect(created.text).toContain('created');
  expect(created.status).toBe(201);
  const same = await account.call('POST', '/api/v1/inventory', truck);
  expect(same.body.outcome).toBe('unchanged');
  const merged = await account.call('POST', '/v1/inventory', {
    vin: truck.vin,
    year: 2019,
    make: 'Freightliner',
    class: 8,
    price: '$64,900',
  });
  expect(merged.body.outcome, merged.text).toBe('merged');
  const read = await account.call('GET', `/v1/inventory/${truck.vin}`);
  console.log(JSON.stringify(read.body, null, 1), read.headers);
  const sold = await account.call('PATCH', '/v1/inventory', { vin: truck.vin, status: 'sold' });
  console.log(sold.text);
  const batch = await account.call('POST', '/v1/inventory', {
    records: [truck, goodTruck(), goodTruck({ make: '' }), 7],
  });
  console.log(JSON.stringify(batch.body, null, 1));
  console.log(service.log.slice(-2));
});
