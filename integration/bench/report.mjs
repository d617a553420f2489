/**
 * Row of the table. The goal is reached if `value` is at least `atLeast` and at most `atMost`.
 * @typedef {{ name: string, value: number, unit: string, atLeast?: number, atMost?: number, detail: string }} Measurement
 */

/** @param {Measurement} measurement */
export function isReached({ value, atLeast, atMost }) {
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}

/** @param {readonly Measurement[]} measurements */
export function renderTable(measurements) {
  const rows = measurements.map((m) => {
    const goal =
      m.atLeast === undefined
        ? m.atMost === undefined
          ? ''
          : `<= ${m.atMost}`
        : `>= ${m.atLeast}`;
    return [
      m.name,
      `${m.value.toFixed(2)} ${m.unit}`,
      goal,
      goal === '' ? '' : isReached(m) ? 'yes' : 'NO',
      m.detail,
    ];
  });
  const table = [['measurement', 'measured', 'goal', 'reached', 'details'], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
