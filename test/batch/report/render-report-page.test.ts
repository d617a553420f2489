import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderReportPage } from '../../../src/batch/report/render-report-page.js';
import { aReport, aStep } from './report-builder.js';

function render(report: Parameters<typeof renderReportPage>[0]): string {
  return [...renderReportPage(report)].join('');
}

function contentOf(page: string, tag: string): string {
  return new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(page)?.[1] ?? '';
}

describe('the report page', () => {
  const report = aReport([aStep('one'), aStep('two', { state: 'failed' })]);
  const page = render(report);

  it('is one HTML document', () => {
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">/);
    expect(page).toMatch(/<\/body>\n<\/html>\n$/);
    expect(page.match(/<script\b/g)).toHaveLength(2);
  });

  it('refers to no other resource', () => {
    const markup = page.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '');
    expect(markup).not.toMatch(/\b(?:src|href|action|srcset|data|poster)\s*=/);
    expect(contentOf(page, 'style')).not.toMatch(/url\(|@import|@font-face|image-set/);
  });

  it('allows only its own script and style by its content policy', () => {
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
    const rules = policy.replaceAll('&#39;', "'").split('; ');
    const hash = (tag: string): string =>
      `'sha256-${createHash('sha256').update(contentOf(page, tag)).digest('base64')}'`;
    expect(contentOf(page, 'script').length).toBeGreaterThan(1_000);
    expect(rules).toEqual([
      "default-src 'none'",
      `script-src ${hash('script')}`,
      `style-src ${hash('style')}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  it('shows the outcome before its script has run', () => {
    const markup = page.slice(0, page.indexOf('<script'));
    expect(markup).toContain('<title>a batch: failed</title>');
    expect(markup).toContain('<span class="outcome is-failed">failed</span> <bdi>a batch</bdi>');
    expect(markup).toContain('1 succeeded, 1 failed');
    expect(markup).toContain('<noscript>');
  });

  it('has a script without text that an HTML parser could take for a tag', () => {
    expect(contentOf(page, 'script')).not.toMatch(/<!--|<\/?script/i);
  });

  it('contains the licence of the bundled highlighter', () => {
    expect(contentOf(page, 'script')).toMatch(/highlight\.js[\s\S]*BSD 3-Clause License/);
  });

  it('is smaller than 250 kB without data', () => {
    expect(Buffer.byteLength(page)).toBeLessThan(250_000);
  });

  it('shows names as text', () => {
    const name = `</title><script>alert(1)</script>"'&\u202e`;
    const hostile = render(aReport([], { name, planHash: '<b>' }));
    expect(hostile.match(/<script\b/g)).toHaveLength(2);
    expect(hostile).toContain(
      '<bdi>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;[U+202E]</bdi>',
    );
    expect(hostile).toContain('<code>&lt;b&gt;</code>');
  });

  it('keeps the text of steps out of its markup', () => {
    const text = '</script><script>alert(1)</script><!--';
    const hostile = render(aReport([aStep(text, { prompt: text, text })]));
    expect(hostile.match(/<script\b/g)).toHaveLength(2);
    expect(hostile.match(/<\/script>/g)).toHaveLength(2);
  });
});
