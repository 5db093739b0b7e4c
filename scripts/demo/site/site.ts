import * as z from 'zod/mini';
import { NewKeyAnswer } from '../../../lib/contract/accounts/operator.ts';
import { BatchAnswer } from '../../../lib/contract/inventory.ts';
import type { Card } from '../../../lib/contract/widget/widget.ts';
import { WidgetInventoryAnswer } from '../../../lib/contract/widget/widget-inventory.ts';
import type { LocalFiles } from '../../../lib/local/app.ts';
import { client } from '../client.ts';
import { drawing } from './drawing.ts';
import { homePage, type Site, STYLE, truckPage } from './pages.ts';
import { drawPhotos } from './photos.ts';
import { readLeads, receivedPage, watchLeads } from './received.ts';
import { SHOWROOM } from './showroom.ts';
import { sendEnquiries } from './visitors.ts';

/** The demo dealer's web site, served at /demo by the service that the demo starts; a deployed one has no such path. */
export interface DemoSite {
  files: LocalFiles;
  /** Posts the showroom's trucks and opens the site, from then on with the widget for this dealer. */
  open(about: {
    url: string;
    adminToken: string;
    seller: { account_id: string; key: string; dealer: string };
    /** CSV of what the service rejected. */
    rejects: string;
    /** A publishable key of an earlier run for the same address. */
    known?: WidgetKey | undefined;
    /** Gets a line for each lead that comes in. */
    print: (line: string) => void;
  }): Promise<WidgetKey>;
}

/** A publishable key and the address of the service it was made for. */
export const WidgetKey = z.object({ url: z.string(), key: z.string() });
export type WidgetKey = z.output<typeof WidgetKey>;

const PICTURE = /^\/demo\/photos\/([A-Za-z0-9-]+)\.jpg$/;
const TRUCK = /^\/demo\/trucks\/([A-Z0-9]{17})$/;
const PAGE = 'text/html; charset=utf-8';

export async function demoSite(): Promise<DemoSite> {
  const pictures = await drawPhotos(SHOWROOM.map(({ vin, ...look }) => ({ name: vin, look })));
  let rejectedRows = '';
  let page: ((path: string) => Promise<string | null>) | null = null;
  return {
    async files(path) {
      if (path === '/demo/site.css') return { type: 'text/css; charset=utf-8', body: STYLE };
      if (path === '/demo/hero.svg') return { type: 'image/svg+xml', body: drawing(HERO) };
      if (path === '/demo/rejects.csv') return { type: 'text/csv; charset=utf-8', body: rejectedRows };
      const picture = pictures.get(PICTURE.exec(path)?.[1] ?? '');
      if (picture) return { type: 'image/jpeg', body: picture };
      const body = path === '/demo' || path.startsWith('/demo/') ? await page?.(path) : null;
      return body ? { type: PAGE, body } : null;
    },

    async open({ url, adminToken, seller, rejects, known, print }) {
      rejectedRows = rejects;
      const api = client(url, seller.key);
      await api.call({
        method: 'POST',
        path: '/v1/inventory',
        body: {
          source_provider_id: 'heartland-showroom',
          records: SHOWROOM.map(({ vin, record }) => ({
            ...record,
            dealer: seller.dealer,
            url: `${url}/demo/trucks/${vin}`,
            images: [`${url}/demo/photos/${vin}.jpg`],
          })),
        },
        answer: BatchAnswer,
      });
      const key = known?.url === url ? known : await newKey(url, adminToken, seller.account_id);
      const inventory = (query: string) =>
        api.call({
          method: 'GET',
          path: `/v1/widget/inventory?dealerSlug=${seller.dealer}&visitorId=demo-site${query}`,
          answer: WidgetInventoryAnswer,
        });
      page = async (path) => {
        const vin = TRUCK.exec(path)?.[1];
        if (path !== '/demo' && path !== '/demo/leads' && !vin) return null;
        const { vehicles, dealer, count } = await inventory(vin ? `&vin=${vin}` : '&limit=24');
        const shown = `${count.value.toLocaleString('en-US')}${count.exact ? '' : '+'}`;
        const site: Site = { dealer: dealer.name, slug: seller.dealer, key: key.key, count: shown };
        if (path === '/demo/leads') return receivedPage(site, await readLeads(api, seller.dealer));
        if (!vin) return homePage(site, oneOfEachBody(vehicles).slice(0, 9));
        return vehicles[0] ? truckPage(site, vehicles[0]) : null;
      };
      if (!known) await sendEnquiries(api, seller.dealer);
      await watchLeads(api, seller.dealer, print);
      return key;
    },
  };
}

const oneOfEachBody = (trucks: readonly Card[]): Card[] => [
  ...new Map(trucks.filter(({ image }) => image).map((truck) => [truck.bodyType, truck])).values(),
];

/** Browsers know this machine by two names. */
async function newKey(url: string, adminToken: string, account: string): Promise<WidgetKey> {
  const { key } = await client(url, adminToken).call({
    method: 'POST',
    path: '/api/admin/keys',
    body: {
      account_id: account,
      kind: 'publishable',
      allowed_origins: [...new Set([url, url.replace('127.0.0.1', 'localhost')])],
    },
    answer: NewKeyAnswer,
  });
  return { url, key };
}

const HERO = { kind: 'sleeper', paint: '#a3341f', light: 1 } as const;
