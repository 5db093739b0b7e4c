import type { Exchange } from '../call.ts';
import { escapeHtml, html, Markup } from './markup.ts';

/** Commands and answers, with the few colours that help reading. */

const NAMES: Readonly<Record<string, string>> = { html: 'HTML', js: 'JavaScript' };

/** A fenced block: `sh` is a command to copy, `http` an answer (or a header line). */
export function codeBlock(language: string, code: string): Markup {
  if (language === 'http') return httpBlock(code);
  if (language === 'json') return figure('answer', html`JSON`, new Markup(colouredJson(code)));
  return figure('request', html`${NAMES[language] ?? 'Shell'}`, new Markup(escapeHtml(code)));
}

/** A command and its real answer. */
export function exchangeBlock({ curl, answer }: Pick<Exchange, 'curl' | 'answer'>): Markup {
  return html`${codeBlock('sh', curl)}${codeBlock('http', answer)}`;
}

function httpBlock(code: string): Markup {
  const [head = '', ...rest] = code.split('\n\n');
  const status = /^HTTP\/1\.1 (\d+)/.exec(head)?.[1];
  const title = status
    ? html`Answer <span class="status s${status.charAt(0)}">${status}</span>`
    : html`Header`;
  const headers = escapeHtml(head).replace(/^([\w-]+)(?=: )/gm, '<span class="k">$1</span>');
  const body = rest.length > 0 ? `\n\n${colouredJson(rest.join('\n\n'))}` : '';
  return figure('answer', title, new Markup(headers + body));
}

function figure(kind: 'request' | 'answer', title: Markup, code: Markup): Markup {
  return html`<figure class="code ${kind}"><figcaption>${title}</figcaption><pre><code>${code}</code></pre></figure>
`;
}

const TOKENS = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\b\d+(?:\.\d+)?\b/g;

function colouredJson(text: string): string {
  let done = 0;
  let out = '';
  for (const match of text.matchAll(TOKENS)) {
    const [token, string, colon, word] = match;
    const kind = string ? (colon ? 'k' : 's') : word ? 'w' : 'n';
    out += escapeHtml(text.slice(done, match.index));
    out += `<span class="${kind}">${escapeHtml(string ?? token)}</span>${colon ?? ''}`;
    done = match.index + token.length;
  }
  return out + escapeHtml(text.slice(done));
}
