/** What the assistant may say that it or the dealer does: it helps and shows. Anything else that they do is a promise. */

const set = (words: string) => new Set(words.split(' '));

const SPEAKERS = set("i we i'll we'll i'd we'd i'm we're i've we've");
const AUXILIARIES = set('can could will would may do');
const FILLERS = set(
  "am are was not cannot can't couldn't don't didn't did only also just currently still gladly happily be happy glad to sorry so very unable able the here at in afraid sure",
);
const ACTS = set(
  "have had carry see saw find found know think understand recommend suggest hope help show look tell check compare search share list need like love assist answer narrow describe mention say speak discuss confirm quote reserve provide offer looking looked searched checked located aim your dealer's an a our open",
);
/** Only after `not` or `cannot`: what the assistant does not do. */
const REFUSED_ACTS = set('reserve provide offer quote confirm discuss open');

const SPANISH_ACTS =
  /^(?:tene|pode|so|esta|ve|encontra|mostra|recomenda|sugeri|conta|ulti|mini|maxi|proxi|opti|mis|legiti)mos$/;
const SPANISH_GIVING =
  /\bse l[oa]s? (?!muestr|explic|pued\w+ (?:mostrar|decir|confirmar))\w+|\b(?:les?|te) (?!puedo|muestro|ayudo|recomiendo|sugiero|cuento|digo)\w+o\b/;

const FRENCH_SPEAKERS = set('je j nous');
const FRENCH_CLITICS = set('vous le la les lui y en ne n l me');
const FRENCH_ACTS =
  /^(?:peux|pouv|pourr|suis|sommes|etes|ai$|avons|vois|voy|trouv|recommand|suggere|compren|aid|montr|appel|joindre|ecri|contact|recontact|connai|cherch|sais)/;
const FRENCH_GIVING = /\bon (?:s |l |(?:vous|le|la|les|lui) )\w+/;

/** True when the sentence has the assistant or the dealer do something that is not theirs to promise. */
export function promisesAnAct(sentence: string): boolean {
  const text = sentence.replace(/\b([jnlsd]|qu)'/g, '$1 ');
  const words = text.match(/[a-z]+(?:'[a-z]+)*|\d+|[^\s\w]/g) ?? [];
  if (SPANISH_GIVING.test(text) || FRENCH_GIVING.test(text)) return true;
  return words.some((word, at) => {
    if (SPEAKERS.has(word)) return !isAllowedEnglish(words, at);
    if (FRENCH_SPEAKERS.has(word)) return !isAllowedFrench(words, at);
    return /[aei]mos$/.test(word) && !SPANISH_ACTS.test(word);
  });
}

function isAllowedEnglish(words: readonly string[], speaker: number): boolean {
  let at = speaker + 1;
  while (AUXILIARIES.has(words[at] ?? '') || FILLERS.has(words[at] ?? '')) at += 1;
  const verb = words[at] ?? '';
  const skipped = words.slice(speaker, at);
  // `which we`, `we are.`
  if (!/^[a-z]/.test(verb)) return true;
  if (REFUSED_ACTS.has(verb)) return skipped.some((word) => /^(?:not|cannot|unable)$|n't$/.test(word));
  if (verb === 'have' || verb === 'carry')
    return !skipped.some((word) => word !== 'do' && (AUXILIARIES.has(word) || /'(?:ll|d)$/.test(word)));
  return ACTS.has(verb) || skipped.includes('at') || skipped.includes('in');
}

function isAllowedFrench(words: readonly string[], speaker: number): boolean {
  // `contactez-nous`, `chez nous`: not the subject.
  if (/ez$|^(?:avec|pour|de|a)$/.test(words[speaker - 1] ?? '')) return true;
  let at = speaker + 1;
  while (FRENCH_CLITICS.has(words[at] ?? '')) at += 1;
  const verb = words[at] ?? '';
  return !/^[a-z]/.test(verb) || FRENCH_ACTS.test(verb);
}
