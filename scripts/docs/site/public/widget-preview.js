// Answers the widget in the service's place, so that the preview needs neither key nor dealer, and adds its tag with
// those options that the address may set.
const OPTIONS = ['accent', 'label', 'side', 'theme', 'language'];

const TRUCKS = [
  [
    '3AKJHHDR6LSLA0417',
    2020,
    'Freightliner',
    'Cascadia 126',
    'sleeper_tractor',
    'class_8',
    71900,
    388410,
    'sleeper-blue',
  ],
  ['1XKYDP9X4MJ118263', 2021, 'Kenworth', 'T680', 'sleeper_tractor', 'class_8', 94500, 301220, 'sleeper-red'],
  [
    '1XPBD49X7KD604412',
    2019,
    'Peterbilt',
    '579',
    'day_cab_tractor',
    'class_8',
    58750,
    276900,
    'dayCab-white',
  ],
  ['1HTMMMML5JH528841', 2018, 'International', '4300', 'box_truck', 'class_6', 39900, 148300, 'box-black'],
  ['1M2AX07C7HM032965', 2017, 'Mack', 'GU713', 'dump_truck', 'class_8', null, 162740, 'dump-yellow'],
].map(([vin, year, make, model, bodyType, truckClass, price, mileage, photo]) => {
  const title = `${year} ${make} ${model}`;
  const image = { url: `/docs/preview/${photo}.svg`, width: 800, height: 600, placeholder: null };
  return {
    ...{ vin, title, year, make, model, bodyType, class: truckClass, price, mileage, image },
    ...{ condition: 'used', status: 'available', location: 'San Antonio, TX', url: null },
    body: bodyType.replaceAll('_', ' '),
    photos: [{ ...image, alt: title }],
    specs: [
      { id: 'class', name: 'Class', value: truckClass.slice(-1) },
      { id: 'body', name: 'Body', value: bodyType.replaceAll('_', ' ') },
      { id: 'vin', name: 'VIN', value: vin },
    ],
  };
});

const SAID = {
  en: [
    'This is what an answer looks like: ',
    'out of your own inventory, sentence by sentence, with the trucks it names.',
  ],
  es: ['Así es una respuesta: ', 'con su propio inventario, frase a frase, con los camiones que nombra.'],
  fr: ['Voici une réponse : ', 'tirée de votre stock, phrase par phrase, avec les camions cités.'],
};

const json = (body, status = 200) => new Response(JSON.stringify(body), { status });

function inventory(query) {
  const words = (query.get('q') ?? '').toLowerCase().split(' ');
  const found = TRUCKS.filter(({ vin, title, bodyType }) =>
    query.has('vin')
      ? vin === query.get('vin')
      : words.every((word) => `${title} ${bodyType}`.toLowerCase().includes(word)),
  );
  const key = query.get('sort');
  if (key === 'price' || key === 'mileage') found.sort((a, b) => (a[key] ?? Infinity) - (b[key] ?? Infinity));
  const count = { value: found.length, exact: true };
  const dealer = { name: 'Lone Star Trucks', phone: '(210) 555-0142' };
  return json({ vehicles: found, count, nextCursor: null, dealer, chat: true, visit: 'preview' });
}

function chat({ locale }, signal) {
  const events = [
    ['start', { conversationId: 'preview' }],
    ...(SAID[locale] ?? SAID.en).map((text) => ['text', { text }]),
    ['vehicles', { vehicles: TRUCKS.slice(0, 2) }],
    ['suggestions', { suggestions: [] }],
    ['done', { conversationId: 'preview', leadCaptured: false }],
  ];
  const stream = new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      const [name, data] = events.shift() ?? [];
      if (name && !signal.aborted)
        controller.enqueue(new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
      else controller.close();
    },
  });
  return new Response(stream);
}

window.fetch = async (address, { body, signal } = {}) => {
  const { pathname, searchParams } = new URL(address, location.href);
  if (pathname.endsWith('/inventory')) return inventory(searchParams);
  if (pathname.endsWith('/chat')) return chat(JSON.parse(body), signal);
  if (pathname.endsWith('/forms')) return json({ forms: [], marketing: { text: '' } });
  return json({ leadId: 'preview', conversationId: 'preview' }, 201);
};

sessionStorage.removeItem('truck-widget:preview');
const tag = document.createElement('script');
tag.src = '/widget.js';
Object.assign(
  tag.dataset,
  { dealer: 'preview', key: 'ctis_wk_preview' },
  Object.fromEntries([...new URLSearchParams(location.search)].filter(([name]) => OPTIONS.includes(name))),
);
document.head.append(tag);
