// SPDX-FileCopyrightText: 2026 The Arenite authors
// SPDX-License-Identifier: MIT

// Stands at the end of a page made by `arenite map -o map.html`, and uses it as a reader does: points, types, switches.
// What it expects, it works out from the data in the page. `kCase` is {name, scheme, buffers, steps of operators}. The
// picture map.svg of the same list stands in the page, too. Writes what it finds into the page: `FAIL ...` for what is
// wrong, and at the end `DONE checks=... failed=...`.

'use strict';
(async () => {
const results = document.createElement('pre');
document.body.append(results);
let checks = 0, failed = 0;
function check(what, good, detail = '') {
  ++checks;
  if (good) return;
  ++failed;
  results.append(`FAIL ${kCase.name}: ${what} ${JSON.stringify(detail)}\n`);
}
const same = (what, is, should) => check(what, is === should, {is, should});
const near = (what, is, should, tolerance = 0.6) => check(what, Math.abs(is - should) <= tolerance, {is, should});
const wait = milliseconds => new Promise(done => setTimeout(done, milliseconds));
const arrive = () => document.getAnimations().forEach(animation => animation.finish());
const $ = id => document.getElementById(id);

window.onerror = message => check('no error in a script', false, message);
const data = JSON.parse($('data').textContent);
const drawn = data.buffers.map((b, i) => i).filter(i => data.buffers[i].size > 0);
const item = i => document.querySelector(`#plot .item[data-i="${i}"]`);
const rect = i => item(i).querySelector('rect');
const chosen = () => data.strategies.find(s => s.name === document.querySelector('input[name=strategy]:checked').value);
const begin = Math.min(...drawn.map(i => data.buffers[i].first)), end = Math.max(...drawn.map(i => data.buffers[i].last)) + 1;

// Where a buffer's rectangle lies: measured against the axis of addresses and the whole width.
function checkPlaces(what) {
  if (drawn.length === 0) return;
  const offsets = chosen().offsets, boxes = drawn.map(i => rect(i).getBoundingClientRect());
  // Two edges give the scale, the rest must agree with it.
  const lowest = drawn.reduce((a, b) => offsets[b] < offsets[a] ? b : a), top = drawn.reduce((a, b) =>
    offsets[b] + data.buffers[b].size > offsets[a] + data.buffers[a].size ? b : a);
  const zero = rect(lowest).getBoundingClientRect().bottom, high = rect(top).getBoundingClientRect();
  const scale = (zero - (high.bottom - Math.max(high.height, 0))) / (offsets[top] + data.buffers[top].size - offsets[lowest]);
  const left = Math.min(...boxes.map(b => b.left)), right = Math.max(...boxes.map(b => b.right));
  const stepWidth = (right - left) / (end - begin);
  let bad = 0;
  drawn.forEach((i, k) => {
    const b = data.buffers[i], box = boxes[k], off = (is, should) => Math.abs(is - should) > 3;
    if (off(box.bottom, zero - (offsets[i] - offsets[lowest]) * scale) || off(box.height, b.size * scale) ||
        off(box.left, left + (b.first - begin) * stepWidth) || off(box.width, (b.last - b.first + 1) * stepWidth) ||
        box.width < 1 || box.height < 1) ++bad;
  });
  same(`${what}: rectangles out of place`, bad, 0);
}

function point(type, target, more = {}) {
  const box = target.getBoundingClientRect();
  target.dispatchEvent(new PointerEvent(type, {bubbles: true, cancelable: true, pointerType: 'mouse',
    clientX: box.left + box.width / 2, clientY: box.top + box.height / 2, ...more}));
}
const press = key => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));

// --- what it is made of ----------------------------------------------------------------------------------------------

same('scripts: data, page, picture, case and test', document.scripts.length, 5);
same('images, frames, links and objects', document.querySelectorAll('img, iframe, link, object, embed, a').length, 0);
same('things loaded', performance.getEntriesByType('resource').length, 0);
check('no script of a name has run', window.hacked === undefined && !document.title.includes('hacked'));
same('buffers in the data', data.buffers.length, kCase.buffers);
same('rectangles', document.querySelectorAll('#plot .item').length, drawn.length);
same('the title', $('source').textContent, kCase.title);
check('the size', $('answer').textContent.startsWith(`${chosen().size} byte`), $('answer').textContent);
check('the proof', $('answer').textContent.includes(chosen().size === data.lower_bound ? 'proven best' : 'above the best'));
check('the lower bound', $('facts').textContent.includes(`lower bound ${data.lower_bound} byte`), $('facts').textContent);
same('the strategy that was asked for', chosen().name, data.strategy);
checkPlaces('first');
for (const i of drawn) {
  const text = item(i).getAttribute('aria-label'), b = data.buffers[i];
  check('spoken words', text.includes(b.name) && text.includes(`${b.size} bytes`), text);
}
same('names of roles', $('legend').textContent,
  ['input', 'activation', 'output', 'scratch', 'buffer'].filter(r => data.buffers.some(b => b.role === r)).join(''));

// --- light and dark --------------------------------------------------------------------------------------------------

const channels = colour => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
function brightness(colour) {
  const [r, g, b] = channels(colour).map(c => c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(one, other) {
  const [low, high] = [brightness(one), brightness(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
const style = element => getComputedStyle(element);
const ground = style(document.body).backgroundColor;
same('the scheme that the browser asks for', matchMedia('(prefers-color-scheme: dark)').matches, kCase.scheme === 'dark');
same('a dark page', brightness(ground) < 0.1, kCase.scheme === 'dark');
for (const element of [$('source'), $('answer'), $('facts'), $('readout'), document.querySelector('.strategy .more')]) {
  check('words can be read', contrast(style(element).color, ground) >= 4.5, element.id);
}
for (const i of drawn.slice(0, 50)) {
  const box = style(rect(i));
  check('edges can be seen', contrast(box.stroke, ground) >= 3 && contrast(box.stroke, box.fill) >= 3, data.buffers[i].role);
  for (const text of item(i).querySelectorAll('text')) {
    check('words in a rectangle can be read', contrast(style(text).fill, box.fill) >= 4.5, text.textContent);
  }
}

// --- one buffer ------------------------------------------------------------------------------------------------------

const tip = $('tip');
check('nothing is shown unasked', tip.hidden);
const largest = drawn.slice().sort((a, b) => data.buffers[b].size - data.buffers[a].size).slice(0, 5);
for (const i of largest) {
  const b = data.buffers[i], offset = chosen().offsets[i];
  point('pointerover', rect(i));
  check('a tip', !tip.hidden);
  same('its caption', tip.querySelector('h2').textContent, b.name);
  for (const words of [`${b.size} bytes`, `${b.first}`, `${b.last}`, `${offset}..${offset + b.size}`, `${b.id}, ${b.role}`]) {
    check('its words', tip.textContent.includes(words), {words, tip: tip.textContent});
  }
  for (const use of b.uses) {
    const operator = data.steps[use.step];
    check('its operators', tip.textContent.includes(operator) && tip.textContent.includes(use.writes ? 'written at' : 'read at'), operator);
  }
  check('the buffer stands out', item(i).classList.contains('shown') && parseFloat(style(rect(i)).strokeWidth) >= 3);
  const place = tip.getBoundingClientRect();
  check('the tip is in sight', place.left >= 0 && place.top >= 0 && place.right <= innerWidth && place.bottom <= innerHeight);
  point('pointerout', rect(i), {relatedTarget: document.body});
  check('gone with the pointer', tip.hidden && !item(i).classList.contains('shown'));
}
if (largest.length > 0) {
  const i = largest[0];
  rect(i).dispatchEvent(new MouseEvent('click', {bubbles: true, clientX: 5, clientY: 5}));
  point('pointerout', rect(i), {relatedTarget: document.body});
  check('stays after a tap', !tip.hidden && item(i).classList.contains('picked'));
  press('Escape');
  check('gone with Escape', tip.hidden && !item(i).classList.contains('picked'));

  same('one stop of the Tab key', document.querySelectorAll('#plot [tabindex="0"]').length, 1);
  document.querySelector('#plot [tabindex="0"]').focus();
  const first = document.activeElement;
  check('a tip by the keyboard', !tip.hidden && first.classList.contains('item'));
  const seen = new Set([first]);
  for (let k = 1; k < Math.min(drawn.length, 30); ++k) {
    press('ArrowRight');
    seen.add(document.activeElement);
  }
  same('arrow keys reach one buffer after the other', seen.size, Math.min(drawn.length, 30));
  press('Home');
  same('Home goes back', document.activeElement, first);
  press('End');
  same('the tip follows', tip.querySelector('h2').textContent, data.buffers[Number(document.activeElement.dataset.i)].name);
  const from = Number(document.activeElement.dataset.i);
  press('ArrowDown');
  const to = Number(document.activeElement.dataset.i);
  check('down is down', to === from || chosen().offsets[to] < chosen().offsets[from], {from, to});
  document.activeElement.blur();
  press('Escape');
}

// --- steps -----------------------------------------------------------------------------------------------------------

const time = $('time');
const bytesAt = step => drawn.filter(i => data.buffers[i].first <= step && step <= data.buffers[i].last)
  .reduce((sum, i) => sum + data.buffers[i].size, 0);
if (drawn.length > 0) {
  check('the peak is told first', $('readout').textContent.includes(`${data.peak.bytes} byte`) &&
    $('readout').textContent.includes('peak'), $('readout').textContent);
  time.focus();
  press('Home');
  same('first step', Number(time.getAttribute('aria-valuenow')), begin);
  for (let k = 0; k < 8; ++k) {
    const step = Number(time.getAttribute('aria-valuenow'));
    const alive = drawn.filter(i => data.buffers[i].first <= step && step <= data.buffers[i].last).length;
    check('bytes alive', $('readout').textContent.includes(`${bytesAt(step)} byte`), {step, readout: $('readout').textContent});
    same('marked as alive', document.querySelectorAll('#plot .item.in').length, alive);
    same('listed as alive', $('alive').querySelectorAll('button').length, Math.min(alive, 16));
    press('ArrowRight');
  }
  press('End');
  check('last step', Number(time.getAttribute('aria-valuenow')) < end);
  press('Escape');
  const box = rect(largest[0]).getBoundingClientRect(), strip = time.getBoundingClientRect();
  const x = box.left + Math.min(1, box.width / 2);
  time.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: x, clientY: strip.top + 20}));
  const pixel = (end - begin) / (strip.width - 14);  // in steps
  near('pointing at a step', Number(time.getAttribute('aria-valuenow')),
    Math.min(end - 1, begin + Math.floor((x - $('plot').getBoundingClientRect().left) * pixel)), Math.max(0, pixel - 1));
  check('who is not alive stands back', $('plot').querySelector('.only') !== null);
  time.dispatchEvent(new PointerEvent('pointerleave', {}));
  check('and comes back', $('plot').querySelector('.only') === null);
}

// --- strategies ------------------------------------------------------------------------------------------------------

for (const wanted of data.strategies) {
  const before = chosen();
  if (wanted === before) continue;
  const radio = document.querySelector(`input[name=strategy][value="${wanted.name}"]`);
  const row = radio.closest('label').textContent;
  check('sizes side by side', row.includes(`${wanted.size} byte`), row);
  const places = drawn.map(i => item(i).style.transform);
  radio.click();
  check('the other size', $('answer').textContent.startsWith(`${wanted.size} byte`), $('answer').textContent);
  check('the other proof', $('answer').textContent.includes(wanted.size === data.lower_bound ? 'proven best' :
    `${wanted.size - data.lower_bound} above the best`), $('answer').textContent);
  const moved = drawn.filter(i => wanted.offsets[i] !== before.offsets[i]);
  same('moved ones are marked', document.querySelectorAll('#plot .item.moved').length, moved.length);
  check('and counted', $('moved').textContent.startsWith(`${moved.length} of ${drawn.length} `) &&
    $('moved').textContent.endsWith(before.name), $('moved').textContent);
  if (drawn.some((i, k) => item(i).style.transform !== places[k]) && !matchMedia('(prefers-reduced-motion: reduce)').matches) {
    check('they are seen to move', document.getAnimations().length > 0);
  }
  arrive();
  checkPlaces(wanted.name);
  if (moved.length > 0) {
    point('pointerover', rect(moved[0]));
    const b = data.buffers[moved[0]], was = before.offsets[moved[0]];
    check('the tip tells where it was', tip.textContent.includes(`in ${before.name}`) && tip.textContent.includes(`${was}..${was + b.size}`));
    check('it stands out among the moved', parseFloat(style(rect(moved[0])).strokeWidth) >= 3 &&
      style(rect(moved[0])).strokeDasharray === 'none', style(rect(moved[0])).strokeWidth);
    same('and a frame shows it', document.querySelector('.ghost').getAttribute('visibility'), 'visible');
    point('pointerout', rect(moved[0]), {relatedTarget: document.body});
  }
}
$('against').value = '-1';
$('against').dispatchEvent(new Event('change'));
same('no marks when not wanted', document.querySelectorAll('#plot .item.moved').length, 0);
document.querySelector(`input[name=strategy][value="${data.strategy}"]`).click();
$('against').value = '-1';
$('against').dispatchEvent(new Event('change'));

// --- tools -----------------------------------------------------------------------------------------------------------

if (drawn.length > 1) {
  const wanted = data.buffers[drawn[1]];
  $('find').value = wanted.name.trim();
  $('find').dispatchEvent(new Event('input'));
  const hits = drawn.filter(i => data.buffers[i].name.toLowerCase().includes(wanted.name.trim().toLowerCase())).length;
  check('found', document.querySelectorAll('#plot .item.in').length >= hits && hits > 0, hits);
  check('all others stand back', $('plot').querySelector('.only') !== null);
  $('find').value = '';
  $('find').dispatchEvent(new Event('input'));
  check('nothing to find', $('plot').querySelector('.only') === null);

  const before = $('plot').getBoundingClientRect().width;
  $('zoom').value = '2';
  $('zoom').dispatchEvent(new Event('input'));
  near('zoom', ($('plot').getBoundingClientRect().width - 14) / (before - 14), 4, 0.05);
  check('the page itself does not grow', document.documentElement.scrollWidth <= innerWidth);
  check('zooming moves nothing about', document.getAnimations().every(a => a.transitionProperty !== 'transform'));
  checkPlaces('zoomed');
  time.focus();
  press('End');
  const step = document.querySelector('#time .cursor').getBoundingClientRect(), sight = $('map').getBoundingClientRect();
  check('the step is scrolled into sight', step.left >= sight.left && step.left <= sight.right, step);
  press('Escape');
  $('zoom').value = '0';
  $('zoom').dispatchEvent(new Event('input'));
}
$('all').open = true;
await wait(50);
same('rows of the table', $('all').querySelectorAll('tbody tr').length, data.buffers.length);
data.buffers.slice(0, 20).forEach((b, i) => {
  same('name in the table', $('all').querySelectorAll('tbody tr')[i].children[1].textContent, b.name);
});
$('all').open = false;

// --- the picture as a file -------------------------------------------------------------------------------------------

const svg = new DOMParser().parseFromString($('picture').textContent, 'image/svg+xml');
check('the picture is sound XML', svg.querySelector('parsererror') === null, svg.documentElement.textContent.slice(0, 200));
same('its rectangles', svg.querySelectorAll('g > title').length, drawn.length);
same('its scripts and pictures', svg.querySelectorAll('script, image, foreignObject, a, use').length, 0);
const plain = text => text.replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, '\ufffd').replace(/\s+/g, ' ');
[...svg.querySelectorAll('g > title')].forEach((title, k) => {
  const b = data.buffers[drawn[k]];
  check('a name in the picture', plain(title.textContent).startsWith(plain(b.name)), {is: title.textContent, should: b.name});
});
const drawing = document.importNode(svg.documentElement, true);
document.body.append(drawing);
const edge = drawing.getBoundingClientRect();
const outside = [...drawing.querySelectorAll('text')].filter(text => {
  const box = text.getBoundingClientRect();
  return box.left < edge.left || box.right > edge.right || box.top < edge.top || box.bottom > edge.bottom;
});
same('words outside of the picture', outside.map(text => text.textContent).join('; '), '');

results.append(`DONE ${kCase.name} checks=${checks} failed=${failed}\n`);
})().catch(error => document.body.append(`\nFAIL ${kCase.name}: ${error.stack}\n`));
