/**
 * Opens a new device at the size of a phone: an own storage, so an own pairing.
 * @param {import('playwright-core').Browser} browser
 */
export function openPhoneContext(browser) {
  return browser.newContext({
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
}

/**
 * Pairs the device of a page under a name, and waits for the list of sessions.
 * @param {import('playwright-core').Page} page
 * @param {string} pairingUrl
 * @param {string} name
 */
export async function pairPage(page, pairingUrl, name) {
  await page.goto(pairingUrl);
  await page.getByLabel('Name of this device').fill(name);
  await page.getByRole('button', { name: 'Pair' }).tap();
  await page.getByRole('searchbox', { name: 'Search sessions' }).waitFor();
}
