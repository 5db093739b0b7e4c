import { expect, test } from 'vitest';
import { dealerRows } from '../../../scripts/demo/dealer-file.ts';
import { drawPhotos, withPhotos } from '../../../scripts/demo/site/photos.ts';

test('every truck of the demo’s file names a photo that is drawn, by its body and colour', async () => {
  const photos = await drawPhotos([]);
  const rows = withPhotos(dealerRows({ currentYear: 2026 }), 'http://demo');
  const names = rows.map(({ record }) => {
    const [address] = (record.photos ?? record.images) as string[];
    return /^http:\/\/demo\/demo\/photos\/(.+)\.jpg$/.exec(`${address}`)?.[1] ?? '';
  });
  expect(names.filter((name) => !photos.has(name))).toEqual([]);
  expect(new Set(names).size).toBeGreaterThan(60);
  expect(names).toContain('mixer-white');
});
