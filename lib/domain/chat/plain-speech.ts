import { toNormalForm } from '../text/normal-form.ts';

/** What a model writes, as plain text: no markup, nothing invisible. */

/** Zero-width and bidirectional marks, tags, variation selectors: nobody sees them, and filters trip over them. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** The same words without Markdown and invisible characters; blanks and lines at the ends stay. */
export function plainSpeech(text: string): string {
  return toNormalForm(text.toWellFormed(), 'NFC')
    .replace(INVISIBLE, '')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/(?!\n)\p{Cc}/gu, ' ')
    .replace(/[^\S\n ]/gu, ' ')
    .replace(/!?\[([^\][]*)\]\(([^()\s]*)\)/g, '$1 ($2)')
    .replace(/^( *)#{1,6} +/gm, '$1')
    .replace(/^( *)[*+•] +/gm, '$1- ')
    .replace(/(\*\*|__)(?=\S)(.*?\S)\1/g, '$2')
    .replace(/(?<![\w*])\*(?=\S)([^*]*\S)\*(?![\w*])/g, '$1')
    .replace(/\*\*|`+/g, '')
    .replace(/ {2,}/g, ' ');
}

/** How filters read a text: compatibility forms and fancy dashes, blanks and quotes as plain ones. */
export function folded(text: string): string {
  return toNormalForm(text, 'NFKC')
    .replace(INVISIBLE, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/[^\S\n]/gu, ' ')
    .replace(/[\u2018\u2019\u02bc`´]/g, "'")
    .replace(/[\u201c\u201d«»]/g, '"')
    .replace(/[\u2024\u3002\uff0e\u00b7\u2022]/g, '.');
}
