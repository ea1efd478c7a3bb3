/* Runs in the browser: shows the document with Swagger UI, in dark colours when the system prefers them. */
const dark = window.matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

window.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  // Nothing is sent anywhere else.
  validatorUrl: null,
  persistAuthorization: false,
  tryItOutEnabled: false,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelRendering: 'model',
  defaultModelExpandDepth: 3,
  defaultModelsExpandDepth: 0,
});
