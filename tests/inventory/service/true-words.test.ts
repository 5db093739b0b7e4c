import { expect, test } from 'vitest';
import { startService } from '../../support/service/service.ts';

/** What is served of a truck is what its dealer said, where the VIN or the dealer's system says otherwise. */

const service = await startService();
const account = await service.newAccount();

const AUTOCAR = { vin: '5VCACRVFXHH673634', year: 2017, make: 'Autocar', model: 'ACX64' };

test.each([
  ['ISL-G CNG', 'natural_gas', 'record'],
  ['ISX12N 400', 'natural_gas', 'record'],
  ['6.8L V10 Gas', 'gasoline', 'record'],
  ['Cummins L9', 'diesel', 'record'],
  ['Cummins B6.7 Octane', 'diesel', 'vin'],
  ['320 hp', 'diesel', 'vin'],
  ['ISL-G', 'renewable_diesel', 'record', 'Renewable diesel'],
])(
  'the fuel is that of the engine %s: %s, by the %s, unless the record names one',
  async (engine, fuel, origin, fuel_type?) => {
    await account.post({ ...AUTOCAR, engine, fuel_type });
    const truck = await account.read(AUTOCAR.vin);
    expect([truck.fuel_type, truck.origins.fuel_type]).toEqual([fuel, origin]);
  },
);

test('a used truck with 0 miles has no known mileage', async () => {
  const truck = { vin: '1M2P267C9RM832014', year: 1994, make: 'Mack', model: 'RD688S', mileage: 0 };
  const { body } = await account.post({ ...truck, condition: 'As-Is' });
  expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(['MILEAGE_UNREADABLE']);
  expect(await account.read(truck.vin)).toMatchObject({ mileage: null, condition: 'used' });
  await account.post({ ...truck, condition: 'new' });
  expect((await account.read(truck.vin)).mileage).toBe(0);
});

test('a trailer is no truck with the same body', async () => {
  const record = { vin: '1UYVS2532JM204411', year: 2018, make: 'Utility', body_type: 'Reefer Trailers' };
  await account.post(record);
  expect(await account.read(record.vin)).toMatchObject({
    body_type: null,
    body_description: 'Reefer Trailers',
  });
});

test('descriptions are text, and what looks like HTML but is none stays', async () => {
  const describe = async (description: string) => {
    await account.post({ ...AUTOCAR, description });
    return (await account.read(AUTOCAR.vin)).description;
  };
  expect(
    await describe('<p>Century 5130 &amp; boom<br/>Cummins <b>X15</b></p>\n<ul><li>1 owner</li></ul>'),
  ).toBe('Century 5130 & boom\nCummins X15\n1 owner');
  expect(await describe('GVWR <26,000 & >10,000 lb, R&amp;D')).toBe('GVWR <26,000 & >10,000 lb, R&amp;D');
});
