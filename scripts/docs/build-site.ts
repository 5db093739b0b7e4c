import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { drawTrucks } from '../demo/drawing.ts';
import { ROOT, readDeployment, toDeployedDocument } from './deployment.ts';
import { errorSidebar } from './pages/error-pages.ts';
import { WIDGET_TAG } from './pages/guide.ts';
import { listPages, llmsIndex, plainPages, sitePages } from './pages/pages.ts';
import { readRecording } from './recording.ts';
import { layoutPage } from './site/layout.ts';
import { renderMarkdown } from './site/markdown.ts';
import { searchIndex } from './site/search.ts';
import sidebar from './site/sidebar.json' with { type: 'json' };

/**
 * Builds the docs site into public/docs, which is never committed. The pages appear all at once, so that a service
 * that runs meanwhile serves either the old site or the new one.
 */
export async function buildSite(target = join(ROOT, 'public/docs')): Promise<void> {
  const temporary = await mkdtemp(join(ROOT, '.docs-'));
  const folder = join(temporary, 'docs');
  try {
    for (const [path, text] of await siteFiles()) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    await copyScripts(folder);
    await rm(target, { recursive: true, force: true });
    await rename(folder, target);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Path below /docs/ → text. */
async function siteFiles(): Promise<Map<string, string>> {
  const pages = await sitePages(await readRecording());
  pages.set('find.md', FIND_PAGE + listPages(pages));
  const files = plainPages(pages, readDeployment().address);
  files.set('llms.txt', llmsIndex(pages));
  for (const [name, picture] of drawTrucks()) files.set(`preview/${name}.svg`, picture);
  const widgetForm = await readFile(join(SITE, 'try-widget.html'), 'utf8');
  const rendered = [...pages].map(([path, text]) => {
    const page = renderMarkdown(text, path);
    return [
      path.replace(/md$/, 'html'),
      { ...page, html: page.html.replace(WIDGET_TAG, widgetForm) },
    ] as const;
  });
  const errors = errorSidebar();
  for (const [path, page] of rendered)
    files.set(path, layoutPage(path, page, path.startsWith('errors/') ? errors : sidebar));
  files.set('errors.html', files.get('errors/index.html') ?? '');
  files.set('search-index.json', searchIndex(rendered));
  return files;
}

const SITE = join(import.meta.dirname, 'site');

/** The list is for readers without JavaScript, and until something is searched for. */
const FIND_PAGE = `# Search

<div id="results" role="status"></div>
<script type="module" src="/docs/find.js"></script>

`;

/** The site's own files, Scalar's script for the reference, and MiniSearch's for the search. */
async function copyScripts(folder: string): Promise<void> {
  await cp(join(SITE, 'public'), folder, { recursive: true });
  const scalar = dirname(fileURLToPath(import.meta.resolve('@scalar/api-reference')));
  await cp(join(scalar, 'browser/standalone.js'), join(folder, 'scalar.js'));
  await cp(fileURLToPath(import.meta.resolve('minisearch')), join(folder, 'minisearch.js'));
}

/** In the platform's disposable checkout the document names the address that is deployed to. */
async function publishDocument(): Promise<void> {
  const path = join(ROOT, 'public/openapi.json');
  const document = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify(toDeployedDocument(document, readDeployment())));
}

if (import.meta.main) {
  await buildSite(process.argv[2]);
  if (process.env.VERCEL) await publishDocument();
}
