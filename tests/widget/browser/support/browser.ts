import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { afterEach } from 'vitest';

/** Debian's Chromium; the suites are skipped where there is none, which is a failure with CI=true. */
const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium';

export const hasChromium = existsSync(EXECUTABLE);
if (!hasChromium && process.env.CI)
  throw new Error(`No Chromium at ${EXECUTABLE}: install Debian's package chromium.`);

let launch: Promise<Browser> | undefined;

/** One browser for all files of the worker; it ends with the process. */
function browser(): Promise<Browser> {
  launch ??= chromium.launch({ executablePath: EXECUTABLE, args: ['--no-sandbox', '--disable-gpu'] });
  return launch;
}

export interface Visit {
  page: Page;
  /** What the page complained about: console errors, uncaught errors, breaches of its policy. */
  complaints: string[];
}

/** A visitor with a fresh profile, closed after the test. */
export async function newVisit(options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await (await browser()).newContext({
    viewport: { width: 1100, height: 800 },
    locale: 'en-US',
    // The headless one names itself, and the service talks to no robots.
    userAgent:
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    reducedMotion: 'reduce',
    ...options,
  });
  // Nothing is shown to be fast here: a busy machine may take its time.
  context.setDefaultTimeout(30_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  open.add(async () => {
    // Answers that are under way come too late for this test.
    for (const each of context.pages()) await each.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
  return { page, complaints };
}

const open = new Set<() => Promise<void>>();

/** Closes what a test left open: pages go on working, as fast as they can. */
export function closeVisits(): void {
  afterEach(async () => {
    await Promise.all([...open].map((close) => close()));
    open.clear();
  });
}

type Name = string | RegExp;

/** Presses the button of this name. */
export const press = (scope: Page | Locator, name: Name) => scope.getByRole('button', { name }).click();

/** The text field of this name. */
export const field = (scope: Page | Locator, name: Name) => scope.getByRole('textbox', { name });
