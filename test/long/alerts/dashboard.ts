/** The panels of the shipped dashboard, filled by the same queries: what Grafana would be given, as a plain page. */
import { z } from 'zod';
import type { Prometheus } from './prometheus.ts';

const shape = z.object({
  panels: z.array(
    z.object({
      title: z.string(),
      description: z.string().optional(),
      targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).optional(),
    }),
  ),
});

const safe = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

export async function dashboardText(prometheus: Prometheus, json: string): Promise<string> {
  const parts: string[] = [];
  for (const { description = '', targets, title } of shape.parse(JSON.parse(json)).panels) {
    if (targets === undefined) {
      parts.push(`<h2>${safe(title)}</h2>`);
      continue;
    }
    const rows: string[] = [];
    for (const { expr } of targets) {
      const series = await prometheus.query(expr);
      rows.push(`<tr><td colspan="2"><code>${safe(expr)}</code></td></tr>`);
      if (series.length === 0) rows.push('<tr><td colspan="2">no series</td></tr>');
      for (const { labels, value } of series) {
        rows.push(`<tr><td>${safe(labels)}</td><td>${value}</td></tr>`);
      }
    }
    parts.push(`<h3>${safe(title)}</h3><p>${safe(description)}</p><table>${rows.join('')}</table>`);
  }
  const style =
    'body{font:13px sans-serif;columns:3}table{border-collapse:collapse;break-inside:avoid}td{border:1px solid #ccc;padding:2px 6px}code{font-size:10px}';
  return `<!doctype html><meta charset="utf-8"><title>Vouch</title><style>${style}</style>${parts.join('\n')}`;
}
