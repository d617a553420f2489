import { part } from './element.js';

const THEMES = ['system', 'light', 'dark'] as const;
const STORAGE_KEY = 'report-theme';

/** Starts the button that switches the colours between system, light and dark. */
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

/** Reads the stored choice. Some browsers refuse storage to a page that was opened from a file. */
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
    // Without storage the choice lasts until the page is closed.
  }
}
