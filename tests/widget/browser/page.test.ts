import { expect, test } from 'vitest';
import { field, newVisit, press } from './support/browser.ts';
import { dealerPage, describeOnStage, stage, visit, withPhotos } from './support/stage.ts';

/** What the script does to the page it stands on. */
describeOnStage('on the dealer’s page', () => {
  test('until a visitor reaches for it there are the launcher’s files and one request, and nothing is stored', async () => {
    const requests: string[] = [];
    const { page, open } = await visit(stage, {}, {}, async (page) =>
      page.on('request', (request) =>
        requests.push(`${request.method()} ${new URL(request.url()).pathname}`),
      ),
    );
    const listFiles = () => requests.filter((request) => request.includes('widget'));
    await expect
      .poll(listFiles)
      .toEqual([
        'GET /widget.js',
        expect.stringMatching(/^GET .widget-page\.\w{8}\.js$/),
        'GET /v1/widget/inventory',
      ]);
    await page.waitForLoadState('networkidle');
    expect(listFiles()).toHaveLength(3);
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
    await open();
    // The panel's own begins the visit.
    await expect.poll(() => requests.filter((request) => request.endsWith('/inventory'))).toHaveLength(2);
    expect(requests.join()).not.toContain('OPTIONS');
    expect(await page.context().cookies()).toEqual([]);
  });

  test('it moves nothing: no layout shift, before and after it opens', async () => {
    const { page, open } = await visit(stage, { body: '<p>'.padEnd(4_000, 'trucks ') });
    await open();
    const countShifts = () =>
      new Promise<number>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().length)).observe({
          type: 'layout-shift',
          buffered: true,
        });
        setTimeout(() => resolve(0), 500);
      });
    expect(await page.evaluate(countShifts)).toBe(0);
  });

  test('it works where the policy allows its origin only, without a single breach', async () => {
    const { url } = stage.service;
    const policy = `default-src 'none'; script-src ${url}; connect-src ${url}; img-src ${url}; require-trusted-types-for 'script'; trusted-types 'none'`;
    const head = `<meta http-equiv="content-security-policy" content="${policy}">`;
    const { page, panel, open, complaints } = await visit(stage, { head }, {}, withPhotos);
    await open();
    const photo = panel.locator('.card img').first();
    await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).not.toBe(0);
    const blurred = panel.locator('canvas').last();
    await expect.poll(() => blurred.evaluate((canvas: HTMLCanvasElement) => canvas.width)).toBe(1);
    await panel.locator('.card').first().click();
    await press(panel, 'Contact the dealer');
    await field(panel, 'Name').waitFor();
    // The photos that cannot be had are no breach.
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    const markup = () => page.evaluate("document.createElement('p').innerHTML = 'x'");
    await expect(markup(), 'the policy is in force').rejects.toThrow('TrustedHTML');
  });

  test('a hostile style sheet changes neither its place nor its looks', async () => {
    const looks = async (head: string) => {
      const { panel, button, open } = await visit(stage, { head });
      const look = (node: Element) => {
        const { color, backgroundColor, font, opacity, textTransform, letterSpacing, direction } =
          getComputedStyle(node);
        const style = [color, backgroundColor, font, opacity, textTransform, letterSpacing, direction];
        return JSON.stringify([node.getBoundingClientRect(), style]);
      };
      const closedButton = await button.evaluate(look);
      await open();
      const readParts = () =>
        Promise.all(
          ['h2', 'input', '.card b', '.body'].map((part) => panel.locator(part).first().evaluate(look)),
        );
      return { closedButton, dialog: await panel.evaluate(look), readParts };
    };
    const hostile = `<style>
      html > *, body *, truck-widget { all: unset !important; display: none !important; font: 40px serif !important;
        color: red !important; background: lime !important; opacity: .1 !important; transform: rotate(9deg) !important;
        letter-spacing: 1em !important; text-transform: uppercase !important; direction: rtl !important;
        --accent: lime !important; --on: lime !important; --ink: lime !important; --paper: red !important; }
      html { font: 40px serif !important; direction: rtl; color: lime; letter-spacing: 1em }
      body { display: block !important; transform: scale(2) !important; }
      button, input, dialog, section, h2 { border: 9px solid lime !important; padding: 90px !important; width: 9px !important }
    </style>`;
    const { readParts, ...outline } = await looks(hostile);
    const { readParts: readPlainParts, ...plain } = await looks('');
    expect(outline).toEqual(plain);
    // What nobody needs at first is drawn when its file has come.
    await expect.poll(async () => `${await readParts()}` === `${await readPlainParts()}`).toBe(true);
  });

  test.each([
    ['with a secret key', { key: 'ctis_sk_live_0123456789012345678901234567890123456' }, '127.0.0.1'],
    ['on a site that no key lists', {}, 'localhost'],
  ])('%s there is no button, and the console says once where to look', async (_, data, host) => {
    const { page, complaints } = await newVisit();
    await page.goto(dealerPage(stage, { data }).replace('127.0.0.1', host));
    const listWarnings = () => complaints.filter((text) => text.startsWith('Truck widget'));
    await expect.poll(listWarnings).toEqual([expect.stringContaining(`${stage.service.url}/docs/widget`)]);
    expect(await page.locator('truck-widget').count()).toBe(0);
  });

  test('an outage takes neither the button nor the phone', async () => {
    const { button, panel } = await visit(stage, { data: { phone: '(214) 555-0142' } }, {}, (page) =>
      page.route('**/v1/widget/**', (route) => route.fulfill({ status: 502, body: 'Bad gateway' })),
    );
    await button.click();
    await panel.getByRole('alert').waitFor();
    await panel.getByRole('link', { name: 'Call (214) 555-0142' }).waitFor();
  });

  test('calls made before the script has loaded are done once it has', async () => {
    const head = `<script>
      window.heard = [];
      (window.TruckWidget = window.TruckWidget || []).push(['on', 'ready', () => heard.push('ready')]);
      TruckWidget.push(['on', 'open', () => heard.push('open')]);
      TruckWidget.push(['on', 'close', () => heard.push('close')]);
      TruckWidget.push(['open']);
    </script>`;
    const { page } = await newVisit();
    await page.goto(dealerPage(stage, { head }));
    const panel = page.locator('truck-widget dialog');
    await panel.locator('.card').first().waitFor();
    await page.evaluate('TruckWidget.close()');
    await panel.waitFor({ state: 'hidden' });
    expect(await page.evaluate('heard')).toEqual(['ready', 'open', 'close']);
  });

  test('destroy takes away everything, and a tag added later starts anew', async () => {
    const { page, open, complaints } = await visit(stage, {}, { viewport: { width: 390, height: 780 } });
    await open();
    expect(await page.evaluate(() => document.documentElement.style.overflow)).toBe('hidden');
    await page.evaluate('TruckWidget.destroy()');
    expect(await page.locator('truck-widget').count()).toBe(0);
    const left = () => [document.documentElement.style.overflow, typeof Reflect.get(window, 'TruckWidget')];
    expect(await page.evaluate(left)).toEqual(['', 'undefined']);
    await page.evaluate(() => {
      const { src, dataset } = document.querySelector<HTMLScriptElement>('script[data-dealer]') ?? {};
      const newTag = Object.assign(document.createElement('script'), { src });
      Object.assign(newTag.dataset, dataset);
      document.head.append(newTag);
    });
    await page.locator('truck-widget section > button').waitFor();
    expect(complaints).toEqual([]);
  });

  test('the button says that the panel cannot be loaded, and the next try loads it', async () => {
    let broken = true;
    const { page, button, panel } = await visit(stage, {}, {}, (page) =>
      page.route('**/widget-panel-*', (route) => (broken ? route.abort() : route.fallback())),
    );
    await button.click();
    await expect.poll(() => button.textContent()).toBe('Offline');
    await page.getByRole('link', { name: '+1 214 555 0142' }).waitFor();
    broken = false;
    await button.click();
    await panel.locator('.card').first().waitFor();
  });

  test('it works without storage, and where every request for it is refused by the browser', async () => {
    const { open, complaints } = await visit(stage, {}, {}, (page) =>
      page.addInitScript(() => {
        for (const area of ['localStorage', 'sessionStorage'])
          Object.defineProperty(window, area, {
            get() {
              throw new DOMException('denied', 'SecurityError');
            },
          });
      }),
    );
    await open();
    expect(complaints).toEqual([]);
  });
});
