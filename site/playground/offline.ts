// Keeps what the playground is made of, so that it works without a network. Everything is asked of the network first,
// so that a new version is seen at once.

const CACHE = 'packord-playground';

interface FetchEvent extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}

const scope = self as unknown as { skipWaiting(): void; clients: { claim(): Promise<void> } };
self.addEventListener('install', () => scope.skipWaiting());
self.addEventListener('activate', (event) => (event as Event & { waitUntil(p: Promise<void>): void }).waitUntil(scope.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request, respondWith } = event as FetchEvent;
  if (request.method === 'GET' && new URL(request.url).origin === self.location.origin)
    respondWith.call(event, answer(request));
});
