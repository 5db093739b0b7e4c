/** Pictures of trucks from the side, drawn, because nobody's photos may be shipped. */

/** Of cab and sleeper. */
const PAINTS = {
  white: '#f4f4f1',
  black: '#26282b',
  blue: '#1f4f86',
  red: '#b3302a',
  gray: '#6f767c',
  yellow: '#e0a11b',
};

const BODIES = {
  sleeper: `<path d="M452 318q4-14 20-18l150-26q22-2 22 18v318H452z" fill="url(#paint)"/>
    <path d="M452 560h192v50H452z" fill="#0003"/><rect x="486" y="372" width="74" height="56" rx="10" fill="url(#glass)"/>`,
  dayCab: '',
  box: `<rect x="128" y="262" width="516" height="340" rx="8" fill="#eef0ef"/>
    <path d="M128 270a8 8 0 0 1 8-8h500a8 8 0 0 1 8 8v14H128z" fill="#fff"/><path d="M128 566h516v36H128z" fill="#cfd4d6"/>
    <path d="M214 284v282M300 284v282M386 284v282M472 284v282M558 284v282" stroke="#d8dcde" stroke-width="3"/>`,
  dump: `<path d="M120 372h520l-34 212H190z" fill="#4b5056"/><path d="M112 356h536v30H112z" fill="#5f656c"/>
    <path d="M206 388l26 194M292 388l16 194M378 388l6 194M464 388l-4 194M550 388l-14 194" stroke="#3a3e43" stroke-width="10"/>`,
  flatbed: `<rect x="118" y="560" width="530" height="34" rx="4" fill="#6b4f36"/><rect x="118" y="588" width="530" height="16" fill="#3a3e43"/>
    <path d="M616 410h28v152h-28z" fill="#55595e"/>`,
};

type Kind = keyof typeof BODIES;
type Color = keyof typeof PAINTS;

const KINDS: readonly (readonly [RegExp, Kind])[] = [
  [/sleeper/i, 'sleeper'],
  [/day cab/i, 'dayCab'],
  [/dump|mixer|roll off|water/i, 'dump'],
  [/flatbed|stake|landscape|chassis/i, 'flatbed'],
];

/** The name of the picture that shows such a truck. */
export const namePicture = (body: string, color: string): string =>
  `${KINDS.find(([pattern]) => pattern.test(body))?.[1] ?? 'box'}-${color.toLowerCase()}`;

/** All pictures by name, as SVG of 800 × 600. */
export const drawTrucks = (): Map<string, string> =>
  new Map(
    Object.keys(BODIES).flatMap((kind) =>
      Object.keys(PAINTS).map((color) => [`${kind}-${color}`, draw(kind as Kind, color as Color)] as const),
    ),
  );

function draw(kind: Kind, color: Color): string {
  const paint = PAINTS[color];
  const rear = kind === 'sleeper' || kind === 'dayCab' ? [270, 412] : [250, 392];
  const wheels = [...rear, 952].map(wheel).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="96 160 1020 765">
<defs>
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="#5f97cc"/><stop offset=".62" stop-color="#a9cbe6"/><stop offset="1" stop-color="#e4eff5"/></linearGradient>
<linearGradient id="ground" x2="0" y2="1"><stop stop-color="#8d8f8d"/><stop offset="1" stop-color="#5d6062"/></linearGradient>
<linearGradient id="paint" x2="0" y2="1"><stop stop-color="#fff" stop-opacity=".35"/><stop offset=".3" stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".28"/></linearGradient>
<linearGradient id="glass" x1="0" x2="1" y2="1"><stop stop-color="#31424f"/><stop offset=".5" stop-color="#7d97a6"/><stop offset="1" stop-color="#26343f"/></linearGradient>
<linearGradient id="chrome" x2="0" y2="1"><stop stop-color="#f6f8f9"/><stop offset=".5" stop-color="#8d979e"/><stop offset="1" stop-color="#dfe4e7"/></linearGradient>
<radialGradient id="shade"><stop stop-color="#000" stop-opacity=".5"/><stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient>
</defs>
<rect width="1200" height="900" fill="url(#sky)"/>
<path d="M0 560q150-60 330-28t360-22 510 8v110H0z" fill="#55685f" opacity=".55"/><path d="M0 600q260-40 540-10t660-16v60H0z" fill="#3f5147" opacity=".6"/>
<rect y="620" width="1200" height="320" fill="url(#ground)"/><path d="M0 792h1200v8H0z" fill="#e8e3cf" opacity=".5"/>
<ellipse cx="600" cy="722" rx="520" ry="44" fill="url(#shade)"/>
<rect x="150" y="612" width="850" height="30" rx="6" fill="#25282c"/>
${painted(BODIES[kind], kind === 'sleeper' ? paint : null)}
${painted(CAB, paint)}
${DETAILS}
${wheels}
</svg>`;
}

const CAB = `<path d="M640 610V306q0-20 20-20h104q20 0 28 18l52 128 118 22q52 10 66 60l12 96z" fill="url(#paint)"/>
<path d="M844 432l118 22q52 10 66 60l4 30H852z" fill="#ffffff1f"/>`;

/** The colour under its light and shade. */
function painted(shape: string, paint: string | null): string {
  return paint === null ? shape : `${shape.replaceAll('url(#paint)', paint)}${shape}`;
}

const DETAILS = `<path d="M672 322h86l46 112H672z" fill="url(#glass)"/><path d="M700 322h24l44 112h-24z" fill="#ffffff2e"/>
<path d="M664 306v286M818 452v140" stroke="#0004" stroke-width="4" fill="none"/><rect x="684" y="466" width="34" height="9" rx="4" fill="#0006"/>
<rect x="612" y="226" width="18" height="384" rx="8" fill="url(#chrome)"/><rect x="666" y="596" width="150" height="58" rx="24" fill="url(#chrome)"/>
<path d="M1018 470q14 0 16 24l6 92h-22z" fill="url(#chrome)"/><rect x="1000" y="600" width="64" height="44" rx="10" fill="url(#chrome)"/>
<rect x="976" y="510" width="40" height="26" rx="12" fill="#fdf6dc"/><path d="M822 398h26v52h-26z" fill="#1d2125"/>
<path d="M862 640a92 92 0 0 1 180 0z" fill="#17191c"/>`;

const wheel = (x: number): string =>
  `<circle cx="${x}" cy="660" r="72" fill="#17191b"/><circle cx="${x}" cy="660" r="44" fill="url(#chrome)"/><circle cx="${x}" cy="660" r="30" fill="#50565b"/><circle cx="${x}" cy="660" r="12" fill="url(#chrome)"/>`;
