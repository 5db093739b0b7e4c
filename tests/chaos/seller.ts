import { expect } from 'vitest';
import type { Dice } from '../../scripts/trucks/random.ts';
import { uniqueJpeg } from '../support/samples/pictures.ts';
import { cleanTruck, cleanTrucks, type Truck } from '../support/samples/trucks.ts';
import type { ServedFile } from '../support/servers/feed-server.ts';
import { toCsv } from '../support/servers/feed-server.ts';
import type { Answer, TestAccount } from '../support/service/service.ts';
import type { World } from './world.ts';

/** What a seller knows of a truck from the answers it got. */
export interface Known {
  truck: Truck;
  /** Prices whose write was acknowledged as a change, in order; each is used once. */
  acknowledged: number[];
  /** Prices and statuses that were sent since the last acknowledgement, with no or an uncertain answer. */
  uncertain: { price?: number; status?: string }[];
  status: string | null;
}

const TRUCKS = 12;
const LEADS_PER_DEALER = 10;

/** A client that does one thing at a time, remembers what was acknowledged, and is answered properly or not at all. */
export class Seller {
  readonly account: TestAccount;
  readonly trucks: Known[];
  readonly feedTrucks: Truck[] = cleanTrucks(15);
  readonly leads: { visitorId: string; acknowledged: boolean }[] = [];
  readonly runs: string[] = [];
  feed = '';
  readonly #world: World;
  readonly #dice: Dice;
  readonly #file: ServedFile;
  readonly #name: string;
  #price = 30_000;
  #dealers = 0;

  constructor(world: World, dice: Dice, account: TestAccount, name: string) {
    this.#world = world;
    this.#dice = dice;
    this.#name = name;
    this.account = account;
    this.#file = world.feeds.file();
    this.trucks = cleanTrucks(TRUCKS).map((truck) => ({
      truck,
      acknowledged: [],
      uncertain: [],
      status: null,
    }));
  }

  async begin(): Promise<void> {
    const body = { name: this.#name, url: this.#file.url, source_provider_id: `dms-${this.#name}` };
    const feed = await this.#call('POST', '/v1/feeds', body);
    expect(feed.status, feed.text).toBe(201);
    this.feed = feed.body.id;
    await this.#newDealer();
  }

  /** One random call, or a few that belong together. */
  async act(): Promise<void> {
    const acts = [
      this.post,
      this.post,
      this.postBatch,
      this.postBatch,
      this.changeStatus,
      this.leaveLead,
      this.leaveLead,
      this.read,
      this.chat,
      this.runFeed,
    ];
    await this.#dice.pick(acts).call(this);
  }

  #call(method: string, path: string, json?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.account.call(method, path, json, headers);
  }

  /** Repeats a call under its key, as a good client does, until it is answered or the client gives up. */
  async #retry(path: string, json: unknown, headers: Record<string, string>, tries = 3): Promise<Answer> {
    const answer = await this.#call('POST', path, json, headers);
    return answer.status >= 500 && tries > 1 ? this.#retry(path, json, headers, tries - 1) : answer;
  }

  /** Half of the calls have a key and are repeated. */
  #send(body: unknown): Promise<Answer> {
    return this.#dice.chance(0.5)
      ? this.#call('POST', '/v1/inventory', body)
      : this.#retry('/v1/inventory', body, { 'idempotency-key': crypto.randomUUID() });
  }

  async #change(sellerTruck: Known): Promise<Truck> {
    this.#price += 1;
    const images = this.#dice.chance(0.3) ? { images: [await this.#newImage()] } : {};
    Object.assign(sellerTruck.truck, images, { price: this.#price, status: 'available' });
    sellerTruck.uncertain.push({ price: this.#price, status: 'available' });
    return { ...sellerTruck.truck };
  }

  async #newImage(): Promise<string> {
    return this.#world.pictures.add(await uniqueJpeg(crypto.randomUUID()));
  }

  #note(sellerTruck: Known, outcome: string, price: unknown): void {
    if (outcome !== 'created' && outcome !== 'merged') return;
    sellerTruck.acknowledged.push(Number(price));
    sellerTruck.uncertain = [];
    sellerTruck.status = 'available';
  }

  async post(): Promise<void> {
    const sellerTruck = this.#dice.pick(this.trucks);
    const record = await this.#change(sellerTruck);
    const { status, body } = await this.#send(record);
    if (status < 300) this.#note(sellerTruck, body.outcome, record.price);
  }

  async postBatch(): Promise<void> {
    const some = this.trucks.filter(() => this.#dice.chance(0.6));
    const records: Truck[] = [];
    for (const sellerTruck of some) records.push(await this.#change(sellerTruck));
    const { status, body } = await this.#send({ records });
    if (status !== 200) return;
    for (const [index, sellerTruck] of some.entries())
      this.#note(sellerTruck, body.results[index].outcome, records[index]?.price);
  }

  async changeStatus(): Promise<void> {
    const sellerTruck = this.#dice.pick(this.trucks);
    const status = this.#dice.pick(['sold', 'delisted']);
    sellerTruck.uncertain.push({ status });
    const answer = await this.#call('PATCH', '/v1/inventory', { vin: sellerTruck.truck.vin, status });
    if (answer.status === 404)
      expect(sellerTruck.acknowledged, 'a truck that was acknowledged is gone').toEqual([]);
    if (answer.status !== 200) return;
    sellerTruck.status = status;
    // What was sent before it may still have changed the price.
    sellerTruck.uncertain = sellerTruck.uncertain.map(({ price }) => (price === undefined ? {} : { price }));
  }

  /** With none acknowledged, leads go on to the dealer before it. */
  async #newDealer(): Promise<void> {
    const slug = `${this.#name}-${this.#dealers + 1}`;
    const body = { slug, name: 'Chaos Trucks', lead_email: `crm@${slug}.example` };
    const { status } = await this.#retry('/v1/dealers', body, {});
    if (status < 300) this.#dealers += 1;
  }

  async leaveLead(): Promise<void> {
    const visitorId = `${this.#name}-visitor-${this.leads.length}`;
    const dealers = 1 + Math.floor(this.leads.length / LEADS_PER_DEALER);
    if (dealers > this.#dealers) await this.#newDealer();
    const dealerSlug = `${this.#name}-${this.#dealers}`;
    const lead = { visitorId, acknowledged: false };
    this.leads.push(lead);
    const enquiry = { dealerSlug, visitorId, message: 'Is it still there?', email: 'jane@visitor.example' };
    const { status } = await this.#retry('/v1/widget/lead', enquiry, {});
    lead.acknowledged = status < 300 || status === 409;
  }

  async read(): Promise<void> {
    const { truck, acknowledged } = this.#dice.pick(this.trucks);
    const read = await this.#call('GET', `/v1/inventory/${truck.vin}`);
    if (read.status === 404) expect(acknowledged, 'a truck that was acknowledged is gone').toEqual([]);
    await this.#call('GET', '/v1/inventory?make=freightliner&limit=5');
    await this.#call('GET', '/v1/market-data/prices?make=Freightliner&model=Cascadia&class=8');
  }

  async chat(): Promise<void> {
    const body = {
      message: 'What do you have?',
      dealerSlug: `${this.#name}-1`,
      visitorId: `${this.#name}-v`,
    };
    await this.#call('POST', '/v1/widget/chat', body);
  }

  /** A new snapshot: other prices, one truck gone, one new. */
  async runFeed(): Promise<void> {
    this.#price += 1;
    this.feedTrucks.splice(0, 1);
    this.feedTrucks.push(cleanTruck());
    for (const truck of this.feedTrucks) truck.price = this.#price;
    this.#file.serve(toCsv(this.feedTrucks));
    const { status, body } = await this.#call('POST', `/v1/feeds/${this.feed}/runs`);
    if (status === 202) this.runs.push(body.id);
  }
}
