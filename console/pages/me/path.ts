/** Where the page about the viewer is. */
export const ME_PATH = '/console/me';
