import { part } from './element.js';

const THEMES = ['system', 'light', 'dark'] as const;
const STORAGE_KEY = 'report-theme';

/** A button that goes from the system's colours to light, to dark and back. */
export function startTheme(): void {
  const toggle = part('theme', HTMLButtonElement);
  let current = THEMES.find((theme) => theme === recall()) ?? 'system';
  const apply = (): void => {
    document.documentElement.dataset['theme'] = current;
    toggle.textContent = { system: '◐', light: '☀', dark: '☾' }[current];
    toggle.setAttribute('aria-label', `Colours: ${current}. Press to change.`);
    toggle.title = `Colours: ${current}`;
  };
  toggle.addEventListener('click', () => {
    current = THEMES[(THEMES.indexOf(current) + 1) % THEMES.length] ?? 'system';
    remember(current);
    apply();
  });
  apply();
}

/** Some browsers refuse storage to a page that was opened from a file. */
function recall(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // It holds until the page is closed.
  }
}
