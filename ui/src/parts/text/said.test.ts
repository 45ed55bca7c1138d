/** What the server says is told in the person's language. Demanded by: PLAT-5. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import { words as en } from '../../shell/i18n/en';
import { words as zh } from '../../shell/i18n/zh';
import { SENTENCES, said } from './said';

beforeAll(async () => {
  await i18next.init({
    lng: 'zh',
    resources: { en: { translation: en }, zh: { translation: zh } },
    interpolation: { escapeValue: false },
  });
});

test.each([
  ['addressed to it', '事件指名给它'],
  ['addressed to it; held until it is on duty', '事件指名给它；等它上班后处理'],
  ['addressed to pm', '事件指名给 pm'],
  ['below its threshold: coffee, tea; a skill', '低于它的门槛：coffee, tea; 符合一项技能'],
  ['below its threshold: no keyword', '低于它的门槛：没有关键词'],
  [
    'OpenAI needs a key, and OPENAI_API_KEY is not set.',
    'OpenAI 需要密钥，但未设置 OPENAI_API_KEY。',
  ],
  ['Run R-3 has ended: it is failed.', 'Run R-3 已结束：失败。'],
  ['Task T-1 is done and cannot become todo.', '任务 T-1 现为“完成”，不能移到“待办”。'],
  ['cancelled by Ada: (no) time', '由 Ada 取消：(no) time'],
])('%s', (sentence, chinese) => {
  expect(said(sentence)).toBe(chinese);
});

test('what is not known is shown as it was said', () => {
  expect(said('The moon is full.')).toBe('The moon is full.');
  expect(said('')).toBe('');
});

test('who reads English reads the server itself', async () => {
  await i18next.changeLanguage('en');
  expect(said('addressed to it')).toBe('addressed to it');
  await i18next.changeLanguage('zh');
});

test('patterns and English words are the same', () => {
  expect(en.said).toEqual(SENTENCES);
});

const SERVER = join(import.meta.dirname, '../../../../src/dayshift');

function python(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return python(path);
    return entry.name.endsWith('.py') ? [readFileSync(path, 'utf8')] : [];
  });
}

test('the server still says them so', () => {
  const code = python(SERVER).join('\n');
  // Reasons that the server puts together of several texts are known by their longest piece.
  const unsaid = Object.values(SENTENCES).filter((sentence) => {
    const pieces = sentence.split(/{{\w+}}|: |^below |^reaches /).map((piece) => piece.trim());
    const longest = pieces.reduce((a, b) => (b.length > a.length ? b : a));
    return !code.includes(longest);
  });
  expect(unsaid).toEqual([]);
});
