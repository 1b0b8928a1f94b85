/** A value a minute. */
export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
}

const WIDTH = 760;
const HEIGHT = 130;
const LEFT = 70;
const TOP = 28;

/** Small charts below each other, each from zero to its own highest value, as one SVG. */
export function chartOf(series: readonly Series[]): string {
  const height = series.length * (HEIGHT + TOP) + TOP;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH + LEFT + 20}" height="${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="100%" height="100%" fill="white"/>`,
    ...series.map((each, place) => `<g transform="translate(${LEFT} ${place * (HEIGHT + TOP) + TOP})">${plot(each)}</g>`),
    '</svg>\n',
  ].join('\n');
}

function plot({ name, unit, values }: Series): string {
  const highest = Math.max(1, ...values);
  const x = (at: number): number => Math.round((at / Math.max(1, values.length - 1)) * WIDTH);
  const y = (value: number): number => Math.round((HEIGHT - 20) * (1 - value / highest));
  const points = values.map((value, at) => `${x(at)},${y(value)}`).join(' ');
  const shown = (value: number): string => `${Math.round(value).toLocaleString('en-US')} ${unit}`.trim();
  return [
    `<text x="0" y="-8" font-weight="bold">${name}</text>`,
    `<text x="-6" y="10" text-anchor="end">${shown(highest)}</text>`,
    `<text x="-6" y="${HEIGHT - 16}" text-anchor="end">0</text>`,
    `<path d="M0 0V${HEIGHT - 20}H${WIDTH}" fill="none" stroke="#999"/>`,
    `<polyline points="${points}" fill="none" stroke="#1f5fa8" stroke-width="2"/>`,
    `<text x="${WIDTH}" y="${HEIGHT - 6}" text-anchor="end">minute ${values.length}</text>`,
  ].join('');
}
