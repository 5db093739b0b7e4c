/** Pictures for the demo's showroom: trucks from the side, drawn, because nobody's photos may be shipped. */

export type Kind =
  | 'sleeper'
  | 'day-cab'
  | 'box'
  | 'dump'
  | 'flatbed'
  | 'mixer'
  | 'tank'
  | 'boom'
  | 'service'
  | 'chassis';

export interface Look {
  kind: Kind;
  /** `#rrggbb` of cab and sleeper. */
  paint: string;
  /** Hour of the day, 0 evening to 2 noon: the light. */
  light: 0 | 1 | 2;
}

const SKIES = [
  ['#3d4f73', '#e6a987', '#f3d3b0'],
  ['#7fa6c9', '#c9dbe6', '#eef2ef'],
  ['#5f97cc', '#a9cbe6', '#e4eff5'],
] as const;

const BODIES: Readonly<Record<Kind, string>> = {
  sleeper: `<path d="M452 318q4-14 20-18l150-26q22-2 22 18v318H452z" fill="url(#paint)"/>
    <path d="M452 560h192v50H452z" fill="#0003"/><rect x="486" y="372" width="74" height="56" rx="10" fill="url(#glass)"/>`,
  'day-cab': '',
  box: `<rect x="128" y="262" width="516" height="340" rx="8" fill="#eef0ef"/>
    <path d="M128 270a8 8 0 0 1 8-8h500a8 8 0 0 1 8 8v14H128z" fill="#fff"/><path d="M128 566h516v36H128z" fill="#cfd4d6"/>
    <path d="M214 284v282M300 284v282M386 284v282M472 284v282M558 284v282" stroke="#d8dcde" stroke-width="3"/>`,
  dump: `<path d="M120 372h520l-34 212H190z" fill="#4b5056"/><path d="M112 356h536v30H112z" fill="#5f656c"/>
    <path d="M206 388l26 194M292 388l16 194M378 388l6 194M464 388l-4 194M550 388l-14 194" stroke="#3a3e43" stroke-width="10"/>`,
  flatbed: `<rect x="118" y="560" width="530" height="34" rx="4" fill="#6b4f36"/><rect x="118" y="588" width="530" height="16" fill="#3a3e43"/>
    <path d="M616 410h28v152h-28z" fill="#55595e"/>`,
  mixer: `<path d="M132 566h512v34H132z" fill="#3a3e43"/>
    <path d="M150 470l40-96 236-92q76-22 124 30l62 92q20 54-26 96l-96 60H268q-78 0-118-90z" fill="#eceeee"/>
    <path d="M150 470l40-96 96-38-40 214q-70-8-96-80zM426 282q76-22 124 30l10 14-60 224h-96z" fill="#0001"/>
    <path d="M126 340l82-26 16 44-82 40z" fill="#8d979e"/>`,
  tank: `<path d="M132 566h512v34H132z" fill="#3a3e43"/><rect x="124" y="346" width="520" height="226" rx="112" fill="url(#chrome)"/>
    <path d="M250 348v222M384 346v226M518 348v222" stroke="#8a9298" stroke-width="5"/><rect x="340" y="326" width="90" height="26" rx="8" fill="#9aa3a9"/>`,
  boom: `<rect x="118" y="536" width="530" height="62" rx="6" fill="#e3e6e7"/><path d="M132 550h120v36H132zM268 550h120v36H268zM404 550h120v36H404z" fill="#c3c9cc"/>
    <path d="M556 536V352h48v184z" fill="#d9a514"/><path d="M604 352L196 262l8-36 408 84z" fill="#e2b11f"/><rect x="132" y="232" width="84" height="104" rx="12" fill="#f4f5f5"/>`,
  service: `<path d="M120 452h524v150H120z" fill="#eef0ef"/><path d="M120 452h524v16H120z" fill="#fff"/>
    <path d="M136 484h118v98H136zM270 484h118v98H270zM404 484h112v98H404zM532 484h98v98h-98z" fill="#dfe3e4" stroke="#b9c0c4" stroke-width="3"/>`,
  chassis: `<path d="M128 582h518v30H128z" fill="#3a3e43"/><path d="M600 500h40v84h-40z" fill="#55595e"/>`,
};

/** The picture as SVG, 800 × 600. */
export function drawing({ kind, paint, light }: Look): string {
  const [top, middle, low] = SKIES[light];
  const rear = kind === 'sleeper' || kind === 'day-cab' ? [270, 412] : [250, 392];
  const wheels = [...rear, 952].map(wheel).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="96 160 1020 765">
<defs>
<linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset=".62" stop-color="${middle}"/><stop offset="1" stop-color="${low}"/></linearGradient>
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
