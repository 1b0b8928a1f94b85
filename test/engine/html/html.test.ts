import fc from '../../fast-check.js';
import { test } from 'tap';
import { blocksOf, paragraphsOf, plainTextOf, sanitizedHtml, sanitizedPage } from '../../../engine/index.js';
import { SEED } from '../../seed.js';

/** What comes in, and what is left of it. */
const CLEANED: readonly (readonly [html: string, left: string])[] = [
  ['<p>plain <b>bold</b></p>', '<p>plain <b>bold</b></p>'],
  ['<script>steal()</script>a', 'a'],
  ['<img src="https://a.example/x.png" onerror="steal()" />', '<img src="https://a.example/x.png" />'],
  ['<img src="http://a.example/x.png" />', '<img />'],
  ['<img src="data:text/html,x" />', '<img />'],
  ['<a href="javascript:steal()">x</a>', '<a>x</a>'],
  ['<a href="//a.example">x</a>', '<a>x</a>'],
  ['<a href="mailto:a@b.example">x</a>', '<a href="mailto:a@b.example">x</a>'],
  ['<form action="/x"><input name="a"><button>b</button></form>', 'b'],
  ['<link rel="stylesheet" href="https://a.example/x.css"><style>p{}</style>x', 'x'],
  ['<iframe src="https://a.example"></iframe><object data="x"></object><embed src="x">x', 'x'],
  ['<p style="color:#fff;position:fixed;background-image:url(https://a.example)">x</p>', '<p style="color:#fff">x</p>'],
  ['<svg onload="steal()"><circle/></svg>x', 'x'],
  ['<meta http-equiv="refresh" content="0;url=https://a.example"><base href="x">x', 'x'],
  ['<p <script><svg><p <script>', '<p></p><p></p><p></p>'],
  ['<p onclick=steal() ONMOUSEOVER="x">x', '<p>x</p>'],
];

test('active content is removed from HTML, a row each', async (t) => {
  for (const [html, left] of CLEANED) t.equal(sanitizedHtml(html), left, html);
});

/** What a template has become, and what is left of it. */
const PAGES: readonly (readonly [html: string, left: string])[] = [
  ['<a href="javascript:steal()">x</a>', '<a>x</a>'],
  ['<a href=" java&#10;script:steal()">x</a>', '<a>x</a>'],
  ['<a href="vbscript:x">x</a><a href="data:text/html,x">y</a>', '<a>x</a><a>y</a>'],
  ['<a class="button" href="https://a.example/?a=1&amp;b=2">x</a>', '<a class="button" href="https://a.example/?a=1&amp;b=2">x</a>'],
  ['<img src="javascript:steal()" srcset="javascript:steal() 2x" onload="x" alt="a">', '<img alt="a">'],
  [
    '<table background="javascript:x"><tr><td style="background:url(javascript:x);padding:8px 16px">x</td></tr></table>',
    '<table><tr><td style="padding:8px 16px">x</td></tr></table>',
  ],
  ['<p style="color:red;width:expression(steal())">x</p>', '<p style="color:red">x</p>'],
  ['<style>p { color: red }</style>x', '<style>p { color: red }</style>x'],
  ['<style>@import "https://a.example"; p { color: red }</style>x', 'x'],
  [
    '<meta http-equiv="refresh" content="0;url=javascript:x"><meta charset="utf-8">x',
    '<meta content="0;url=javascript:x"><meta charset="utf-8">x',
  ],
  [
    '<!doctype html><html lang="en"><head><title>a</title></head><body>x</body></html>',
    '<!DOCTYPE html>\n<html lang="en"><head><title>a</title></head><body>x</body></html>',
  ],
  [
    '<form action="javascript:x"><button formaction="javascript:x">b</button></form><svg><a xlink:href="javascript:x">c</a></svg>',
    'b<a>c</a>',
  ],
];

test('active content is removed from pages of templates, a row each, and everything else stays', async (t) => {
  for (const [html, left] of PAGES) t.equal(sanitizedPage(html), left, html);
});

/** HTML, and its text. */
const TEXTS: readonly (readonly [html: string, text: string])[] = [
  ['<h1>Title</h1><p>One\n  two<br>three</p>', 'Title\nOne two\nthree'],
  ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
  ['<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>', 'a  b\nc'],
  ['a &amp; b &lt;c&gt; &quot;d&quot; &eacute;', 'a & b <c> "d" é'],
  ['<head><title>x</title></head><style>p{}</style><script>s()</script><p>y</p>', 'y'],
  ['', ''],
  ['no markup', 'no markup'],
];

test('HTML reads as paragraphs', async (t) => {
  for (const [html, text] of TEXTS) t.equal(plainTextOf(html), text, html);
  t.same(blocksOf('<p>a <b>b <i>c</i></b></p>'), [
    {
      type: 'paragraph',
      runs: [
        { text: 'a ', isBold: false, isItalic: false },
        { text: 'b ', isBold: true, isItalic: false },
        { text: 'c', isBold: true, isItalic: true },
      ],
    },
  ]);
  t.match(blocksOf('<h2>a</h2>'), [{ type: 'heading', runs: [{ text: 'a', isBold: true }] }]);
});

test('a plain text becomes paragraphs in which nothing is markup', async (t) => {
  t.equal(paragraphsOf(' a <b>\nc\n\n\nd & e '), '<p>a &lt;b&gt;<br>c</p>\n<p>d &amp; e</p>');
});

test(`whatever comes in, no active content is left, and cleaning again changes nothing (seed ${SEED})`, async (t) => {
  const piece = fc.constantFrom(
    '<script>',
    '</script>',
    '<p ',
    'onclick="x"',
    '>',
    '<',
    '</',
    'javascript:',
    '<a href=',
    '"',
    "'",
    '<style>',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&lt;script&gt;',
    '<img src=x onerror=x>',
    '\0',
    'text',
    '<svg>',
    '</p>',
    '<textarea>',
    '<title>',
    '/',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 30 }), (pieces) => {
      const clean = sanitizedHtml(pieces.join(''));
      return (
        sanitizedHtml(clean) === clean &&
        !/<(script|style|form|iframe|svg|link|meta|base|object|embed|textarea|title)/i.test(clean) &&
        !/<[^>]*\son\w+=/i.test(clean) &&
        typeof plainTextOf(pieces.join('')) === 'string'
      );
    }),
    { seed: SEED, numRuns: Number(process.env['TENOR_RUNS'] ?? 1000) },
  );
  t.pass();
});

test('tags below the deepest level are removed, and their content stays', async (t) => {
  const opened = (html: string): number => html.split('<div>').length - 1;
  for (const clean of [sanitizedHtml, sanitizedPage]) {
    const deep = clean(`${'<div>'.repeat(6_000)}held${'</div>'.repeat(6_000)}<p>after</p>`);
    t.equal(opened(deep), 5_000);
    t.match(deep, /held.*<p>after<\/p>/s);
    const flat = '<div>a<br>b</div>'.repeat(6_000);
    t.equal(opened(clean(flat)), 6_000, 'many beside each other stay');
    t.equal(opened(clean(`${'<br>'.repeat(6_000)}${'1 < 2 '.repeat(6_000)}<div>x</div>`)), 1, 'what holds nothing does not count');
  }
});
