import type { Card } from '../../../lib/contract/widget/widget.ts';
import { html, Markup } from './markup.ts';

/** A dealer's web site, as plausible as a dealer who does not exist can have one. */

export interface Site {
  dealer: string;
  /** Slug. */
  slug: string;
  /** Publishable, for the origins the site is opened at. */
  key: string;
  /** How many trucks are for sale, as text: `2,000+`. */
  count: string;
}

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const miles = new Intl.NumberFormat('en-US');
const plain = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ');
const formatPrice = ({ price }: Card) => (price === null ? 'Call for price' : dollars.format(price));

export function page(site: Site, title: string, main: Markup, head: Markup | null = null): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/demo/site.css">
${head}</head>
<body>
<p class="demo">A demo site: the dealer does not exist, the widget in the corner is real.</p>
<header><a class="brand" href="/demo">${site.dealer}</a>
<nav aria-label="Main"><a href="/demo#trucks">Trucks</a><a href="/demo#service">Service</a><a href="/demo#visit">Visit us</a><a href="/demo/leads">What the dealer received</a></nav>
<a class="phone" href="tel:+12145550142">(214) 555-0142</a></header>
<main>
${main}</main>
<footer id="visit"><div><strong>${site.dealer}</strong><br>4100 Heartland Parkway, Dallas, TX 75236</div>
<div>Mon to Fri 7:30 to 6:00<br>Saturday 8:00 to 1:00</div><div><a href="tel:+12145550142">(214) 555-0142</a><br>sales@heartland.example</div></footer>
<script async src="/widget.js" data-dealer="${site.slug}" data-key="${site.key}" data-accent="#a3341f"></script>
</body>
</html>
`.text;
}

const tile = (truck: Card) => html`<li><a href="/demo/trucks/${truck.vin}">
${truck.image && html`<img src="${truck.image.url}" alt="" width="${truck.image.width}" height="${truck.image.height}" loading="lazy">`}
<h3>${truck.title}</h3><p><strong>${formatPrice(truck)}</strong> ${truck.mileage !== null && `${miles.format(truck.mileage)} mi`}</p></a></li>
`;

export function homePage(site: Site, featured: readonly Card[]): string {
  return page(
    site,
    `${site.dealer} · Used trucks in Dallas`,
    html`<section class="hero"><div><h1>Trucks that are ready for Monday.</h1>
<p>${site.count} sleepers, day cabs and vocational trucks, inspected in our own shop and priced in the open.</p>
<a class="action" href="#trucks">See this week’s trucks</a></div></section>
<section id="trucks"><h2>On the lot this week</h2><ul class="trucks">
${featured.map(tile)}</ul></section>
<section id="service" class="service"><div><h2>In our own shop</h2><p>Every truck gets 142 points, an oil sample and a road test before it gets a price. You see the report, all of it.</p></div>
<div><h2>Trade-ins welcome</h2><p>Bring yours, running or not. The offer is good for seven days, and you do not have to buy from us.</p></div>
<div><h2>Delivered</h2><p>We bring it to your yard in the lower 48, with plates on and a full tank.</p></div></section>
`,
  );
}

export function truckPage(site: Site, truck: Card): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'Vehicle',
    name: truck.title,
    vehicleIdentificationNumber: truck.vin,
  };
  const facts = [
    ['Price', formatPrice(truck)],
    ['Mileage', truck.mileage === null ? null : `${miles.format(truck.mileage)} mi`],
    ['Body', truck.bodyType && plain(truck.bodyType)],
    ['Class', truck.class?.replace(/\D/g, '')],
    ['Condition', truck.condition && plain(truck.condition)],
    ['Where', truck.location],
    ['VIN', truck.vin],
  ] as const;
  return page(
    site,
    `${truck.title} · ${site.dealer}`,
    html`<section class="truck"><p><a href="/demo#trucks">All trucks</a></p><h1>${truck.title}</h1><div>
${truck.image && html`<img src="${truck.image.url}" alt="${truck.title}, from the side" width="${truck.image.width}" height="${truck.image.height}">`}
<dl>${facts.map(([name, value]) => value && html`<dt>${name}</dt><dd>${value}</dd>`)}</dl></div></section>
`,
    html`<script type="application/ld+json">${new Markup(JSON.stringify(data).replaceAll('<', '\\u003c'))}</script>
`,
  );
}

export const STYLE = `
:root { --ink: #1d1b18; --soft: #635d55; --paper: #faf7f2; --accent: #a3341f; --line: #e4ddd2 }
* { box-sizing: border-box }
html { scroll-behavior: smooth }
body { margin: 0; background: var(--paper); color: var(--ink); font: 17px/1.6 Georgia, "Times New Roman", serif }
a { color: var(--accent) }
h1, h2, h3, .brand, nav, .action, .phone, dt, .trucks p, .demo { font-family: "Avenir Next", "Segoe UI", system-ui, sans-serif }
h1 { margin: 0 0 16px; font-size: clamp(34px, 5.4vw, 62px); line-height: 1.08; letter-spacing: -.02em; text-wrap: balance }
h2 { margin: 0 0 18px; font-size: 25px; letter-spacing: -.01em }
.demo { margin: 0; padding: 6px clamp(18px, 5vw, 72px); background: var(--ink); color: #d9d3c8; font-size: 13px }
header, footer, section { padding: 22px clamp(18px, 5vw, 72px) }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 34px; border-bottom: 1px solid var(--line); background: #fff }
.brand { margin-right: auto; color: var(--ink); font-size: 21px; font-weight: 700; letter-spacing: -.01em; text-decoration: none }
nav { display: flex; flex-wrap: wrap; gap: 6px 26px; font-size: 15px } nav a { color: var(--soft); text-decoration: none }
.phone { font-weight: 600; text-decoration: none }
.hero { display: grid; align-items: end; min-height: min(66vh, 560px); background: linear-gradient(100deg, #faf7f2 34%, #faf7f200 72%), url(/demo/hero.svg) right 58% / auto 150% no-repeat #b9cfdf }
.hero div { max-width: 560px; padding-bottom: 34px } .hero p { max-width: 420px; margin: 0 0 28px; font-size: 19px }
.action { display: inline-block; padding: 14px 26px; border-radius: 6px; background: var(--accent); color: #fff; font-size: 16px; font-weight: 600; text-decoration: none }
#trucks { padding-top: 56px }
.trucks { display: grid; grid-template-columns: repeat(auto-fill, minmax(270px, 1fr)); gap: 30px; margin: 0; padding: 0; list-style: none }
.trucks a { color: inherit; text-decoration: none } .trucks img { display: block; width: 100%; height: auto; border-radius: 8px }
.trucks h3 { margin: 14px 0 2px; font-size: 18px } .trucks p { margin: 0; color: var(--soft); font-size: 15px } .trucks strong { margin-right: 8px; color: var(--ink) }
.trucks a:hover h3 { color: var(--accent) }
.service { display: grid; grid-template-columns: repeat(auto-fit, minmax(240px, 1fr)); gap: 34px; margin-top: 44px; padding-block: 52px; background: #f1ebe1 }
.service p { margin: 0; color: var(--soft) }
.truck div { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 320px), 1fr)); gap: 36px } .truck img { width: 100%; height: auto; border-radius: 8px }
.truck h1 { font-size: clamp(28px, 4vw, 44px) }
dl { display: grid; grid-template-columns: 120px 1fr; align-content: start; gap: 12px 20px; margin: 0 } dt { color: var(--soft); font-size: 15px } dd { margin: 0 }
article { margin: 0 0 20px; padding: 4px 22px 18px; border: 1px solid var(--line); border-radius: 8px; background: #fff; overflow-wrap: anywhere } article p { margin: 0; color: var(--soft) } blockquote { margin: 0; white-space: pre-line }
@media (max-width: 720px) {
  header { gap: 8px 20px; padding-block: 14px } nav { order: 1; width: 100%; gap: 4px 18px; font-size: 14px }
  .hero { min-height: 0; padding-top: calc(75vw + 14px); background: url(/demo/hero.svg) center top / 100% auto no-repeat #faf7f2 }
  .hero div { padding-bottom: 0 } #trucks { padding-top: 36px } .service { margin-top: 20px; padding-block: 36px }
  dl { grid-template-columns: 96px 1fr }
}
footer { display: flex; flex-wrap: wrap; gap: 20px 72px; padding-block: 44px 90px; background: var(--ink); color: #d9d3c8; font-size: 15px } footer a { color: inherit }
`;
