const EASTERN = 'America/New_York';
const CENTRAL = 'America/Chicago';
const MOUNTAIN = 'America/Denver';
const PACIFIC = 'America/Los_Angeles';

/** States and territories by their time zones. */
const ZONES: readonly (readonly [states: string, zones: readonly string[]])[] = [
  ['CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV', [EASTERN]],
  ['AL AR IA IL LA MN MO MS OK WI', [CENTRAL]],
  ['CO MT NM UT WY', [MOUNTAIN]],
  ['CA WA', [PACIFIC]],
  ['FL IN KY MI TN', [EASTERN, CENTRAL]],
  ['KS ND NE SD TX', [CENTRAL, MOUNTAIN]],
  ['ID NV OR', [MOUNTAIN, PACIFIC]],
  ['AZ', ['America/Phoenix', MOUNTAIN]],
  ['AK', ['America/Anchorage', 'America/Adak']],
  ['HI', ['Pacific/Honolulu']],
  ['PR VI', ['America/Puerto_Rico']],
  ['GU MP', ['Pacific/Guam']],
  ['AS', ['Pacific/Pago_Pago']],
];

const BY_STATE: ReadonlyMap<string, readonly string[]> = new Map(
  ZONES.flatMap(([states, zones]) => states.split(' ').map((state) => [state, zones] as const)),
);

/** Every time zone of a state or territory. Empty for other texts and for posts of the armed forces, which can be anywhere. */
export const zonesOfState = (state: string | null): readonly string[] => (state === null ? [] : (BY_STATE.get(state) ?? []));

/** The two letters of a state (`NY`, `US-NY`, ` ny `); null for anything else. */
export function stateNamed(text: string | null): string | null {
  const letters = (text ?? '').trim().toUpperCase().replace(/^US-/, '');
  return /^[A-Z]{2}$/.test(letters) ? letters : null;
}

/** The time zones for a person whose address is unknown: all of the country. */
export const ANYWHERE: readonly string[] = [
  EASTERN,
  CENTRAL,
  MOUNTAIN,
  'America/Phoenix',
  PACIFIC,
  'America/Anchorage',
  'Pacific/Honolulu',
];

/**
 * Area codes of the North American Numbering Plan by state and territory. Other codes (toll-free, personal, foreign) belong to no state.
 */
const CODES: Readonly<Record<string, string>> = {
  AK: '907',
  AL: '205 251 256 334 659 938',
  AR: '327 479 501 870',
  AS: '684',
  AZ: '480 520 602 623 928',
  CA:
    '209 213 279 310 323 341 350 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747 760 805 818 820 831 837 ' +
    '840 858 909 916 925 949 951',
  CO: '303 719 720 970 983',
  CT: '203 475 860 959',
  DC: '202 771',
  DE: '302',
  FL: '239 305 321 324 352 386 407 448 561 645 656 689 727 728 754 772 786 813 850 863 904 941 954',
  GA: '229 404 470 478 678 706 762 770 912 943',
  GU: '671',
  HI: '808',
  IA: '319 515 563 641 712',
  ID: '208 986',
  IL: '217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 861 872',
  IN: '219 260 317 463 574 765 812 930',
  KS: '316 620 785 913',
  KY: '270 364 502 606 859',
  LA: '225 318 337 457 504 985',
  MA: '339 351 413 508 617 774 781 857 978',
  MD: '227 240 301 410 443 667',
  ME: '207',
  MI: '231 248 269 313 517 586 616 679 734 810 906 947 989',
  MN: '218 320 507 612 651 763 924 952',
  MO: '235 314 417 557 573 636 660 816 975',
  MP: '670',
  MS: '228 471 601 662 769',
  MT: '406',
  NC: '252 336 472 704 743 828 910 919 980 984',
  ND: '701',
  NE: '308 402 531',
  NH: '603',
  NJ: '201 551 609 640 732 848 856 862 908 973',
  NM: '505 575',
  NV: '702 725 775',
  NY: '212 315 329 332 347 363 465 516 518 585 607 624 631 646 680 716 718 838 845 914 917 929 934',
  OH: '216 220 234 283 326 330 380 419 436 440 513 567 614 740 937',
  OK: '405 539 572 580 918',
  OR: '458 503 541 971',
  PA: '215 223 267 272 412 445 484 570 582 610 717 724 814 835 878',
  PR: '787 939',
  RI: '401',
  SC: '803 821 839 843 854 864',
  SD: '605',
  TN: '423 615 629 731 865 901 931',
  TX: '210 214 254 281 325 346 361 409 430 432 469 512 682 713 726 737 806 817 830 832 903 915 936 940 945 956 972 979',
  UT: '385 435 801',
  VA: '276 434 540 571 686 703 757 804 826 948',
  VI: '340',
  VT: '802',
  WA: '206 253 360 425 509 564',
  WI: '262 274 353 414 534 608 715 920',
  WV: '304 681',
  WY: '307',
};

/** Area codes that lie in one zone of a state with several zones. Every other code may lie in any zone of its state. */
const SINGLE_ZONES: readonly (readonly [codes: string, zone: string])[] = [
  // Florida without the Panhandle.
  ['239 305 321 324 352 386 407 561 645 656 689 727 728 754 772 786 813 863 904 941 954', 'America/New_York'],
  ['260 317 463 765', 'America/New_York'],
  ['502 859', 'America/New_York'],
  ['231 248 269 313 517 586 616 679 734 810 947 989', 'America/New_York'],
  ['865', 'America/New_York'],
  ['615 629 731 901 931', 'America/Chicago'],
  ['316 913', 'America/Chicago'],
  ['402 531', 'America/Chicago'],
  ['210 214 254 281 325 346 361 409 430 469 512 682 713 726 737 806 817 830 832 903 936 940 945 956 972 979', 'America/Chicago'],
  ['503 971', 'America/Los_Angeles'],
  ['702 725', 'America/Los_Angeles'],
  ['480 520 602 623', 'America/Phoenix'],
];

const STATES: ReadonlyMap<string, string> = new Map(
  Object.entries(CODES).flatMap(([state, codes]) => codes.split(' ').map((code) => [code, state] as const)),
);
const SINGLE: ReadonlyMap<string, readonly string[]> = new Map(
  SINGLE_ZONES.flatMap(([codes, zone]) => codes.split(' ').map((code) => [code, [zone]] as const)),
);

/** The state and zones of a telephone number in E.164. Null and none for toll-free and foreign numbers. */
export function areaOfPhone(number: string): PhoneArea {
  const code = /^\+1(\d{3})\d{7}$/.exec(number)?.[1] ?? '';
  const state = STATES.get(code) ?? null;
  return { state, zones: SINGLE.get(code) ?? zonesOfState(state) };
}

export interface PhoneArea {
  readonly state: string | null;
  readonly zones: readonly string[];
}
