/** Secrets as people paste them, made up from a seed of letters and digits, and texts that are none. */
import fc from 'fast-check';

const characters = (alphabet: string) => (length: number) =>
  fc
    .array(fc.constantFrom(...alphabet.split('')), { minLength: length, maxLength: length })
    .map((list) => list.join(''));

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const word = characters(`${LETTERS}0123456789`);
const upper = characters('ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789');
const base64 = characters(`${LETTERS}0123456789+/`);
const digits = characters('0123456789');

/** What must not be seen, in the text that it comes in. */
export interface Pasted {
  readonly text: string;
  readonly secret: string;
}

const alone = (secret: string): Pasted => ({ text: secret, secret });
const within = (before: string, after: string) => (secret: string) => ({
  text: before + secret + after,
  secret,
});

/** Long enough not to be found by chance, and with a digit, as every generated credential has. */
const random = (length: number) => word(length - 2).map((text) => `x${text}7`);

export const PASTED: Readonly<Record<string, fc.Arbitrary<Pasted>>> = {
  'a key of ours': random(70).map((text) => alone(`vch_${text}`)),
  'a token of ours': random(43).map((text) => alone(`vpt_${text}`)),
  'a GitHub token': word(36).map((text) => alone(`ghp_${text}`)),
  'a fine-grained GitHub token': word(82).map((text) => alone(`github_pat_${text}`)),
  'a GitLab token': word(20).map((text) => alone(`glpat-${text}`)),
  'an OpenAI key': random(48).map((text) => alone(`sk-proj-${text}`)),
  'an old OpenAI key': random(48).map((text) => alone(`sk-${text}`)),
  'an Anthropic key': random(95).map((text) => alone(`sk-ant-api03-${text}`)),
  'a Google key': word(35).map((text) => alone(`AIza${text}`)),
  'an AWS key id': upper(16).map((text) => alone(`AKIA${text}`)),
  'an AWS secret key': word(40).map(within('aws_secret_access_key = ', '')),
  'an AWS secret key in JSON': word(40).map(within('{"SecretAccessKey": "', '"}')),
  'a Slack token': fc
    .tuple(digits(12), digits(12), word(24))
    .map(([team, bot, text]) => alone(`xoxb-${team}-${bot}-${text}`)),
  'a Stripe key': word(24).map((text) => alone(`sk_live_${text}`)),
  'an npm token': word(36).map((text) => alone(`npm_${text}`)),
  'a JSON Web Token': fc
    .tuple(word(20), word(30), word(43))
    .map((parts) => alone(`eyJ${parts[0]}.eyJ${parts[1]}.${parts[2]}`)),
  'a bearer token': random(32).map(within('Authorization: Bearer ', '')),
  'basic credentials': base64(16).map(within('authorization: Basic ', '==')),
  'a private key': base64(64).map(
    within('-----BEGIN RSA PRIVATE KEY-----\n', '\n-----END RSA PRIVATE KEY-----'),
  ),
  'an encrypted private key': base64(64).map(
    within(
      '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,0A\n\n',
      '\nabc=\n-----END RSA PRIVATE KEY-----',
    ),
  ),
  'a private key that was cut off': base64(64).map(
    within('-----BEGIN OPENSSH PRIVATE KEY-----\n', ''),
  ),
  'a private key in one line of JSON': base64(64).map(
    within('-----BEGIN PRIVATE KEY-----\\n', '\\n-----END PRIVATE KEY-----\\n'),
  ),
  'a Postgres address': random(12).map(within('postgres://app:', '@db.example.org:5432/app')),
  'a Redis address': random(12).map(within('redis://:', '@cache.example.org')),
  'a web address': random(12).map(within('https://ana:', '@example.org/path?q=1')),
  'a connection string': random(12).map(within('Server=db;User Id=sa;Password=', ';')),
  'a storage connection string': random(40).map(
    within('DefaultEndpointsProtocol=https;AccountKey=', ';'),
  ),
  'a password after a colon': random(8).map(within('password: ', '')),
  'a password of letters': characters(LETTERS)(10).map(within('My password: ', '')),
  'a password in Markdown': random(8).map(within('**Password:** ', '')),
  'a password in quotes': random(8).map(within('password = "two words ', '"')),
  'a password in the environment': random(8).map(within('DB_PASSWORD=', '')),
  'a spoken password': random(8).map(within('the password for the wifi is ', '')),
  'a password with remarks': random(8).map(within('password (for the wifi) is: ', '')),
  'a password for a command': random(8).map(within('mysql --password ', '')),
  'a German password': random(8).map(within('Mein Passwort: ', '')),
  'a Spanish password': random(8).map(within('La contraseña es ', '')),
  'a French password': random(8).map(within('mot de passe : ', '')),
  'a Russian password': random(8).map(within('пароль: ', '')),
  'a Chinese password': random(8).map(within('密码：', '')),
  'a Japanese password': random(8).map(within('パスワード：', '')),
  'an API key with a name': random(20).map(within('API key: ', '')),
  'a client secret': random(20).map(within('"client_secret": "', '"')),
  'a token with a name': random(24).map(within('token=', '')),
};

/** What may stand beside a pasted secret. */
const SENTENCES = [
  '',
  'Please deploy with ',
  'Ana said (in Porto): ',
  '我的密钥是',
  '"',
  'line one\n',
  '<b>',
  '🔑 ',
  'ключ ',
] as const;
const ENDS = ['', '.', ' and then call me.', '\nNext line.', '"', ', ok?', ' 好的', '。'] as const;

export const AROUND = fc.record({
  before: fc.constantFrom(...SENTENCES),
  after: fc.constantFrom(...ENDS),
});

/** Nothing in here is a secret, however much it looks like one. */
export const HARMLESS: readonly string[] = [
  'Ana moved to Porto last month and likes the sea.',
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 fixes the boat',
  'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  'The order is 550e8400-e29b-41d4-a716-446655440000.',
  '018f0000-0000-7000-8000-000000000002',
  'ISBN 978-3-16-148410-0, 3rd edition',
  'Call +351 912 345 678 on 2024-05-01T10:00:00Z.',
  'IBAN PT50 0002 0123 1234 5678 9015 4',
  'https://example.org/path/to/page?q=tea&lang=en#top',
  'https://example.org:8080/users/@ana',
  'mailto:ana@example.org, git@github.com:owner/repository.git',
  'postgres://db.example.org:5432/app',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'She forgot her password and reset it on Monday.',
  'Reset your password at https://example.org/reset/1a.',
  'The password is: longer than what I remember.',
  'The password is changed every three months.',
  'Passwords must never be shared.',
  'A password manager keeps them.',
  'A token is about four characters; the secret of good tea is patience.',
  'The bearer of this letter is trustworthy.',
  'A valid token: one that has not expired.',
  'The basic idea of authorization is simple.',
  'The key is under the mat.',
  'A PEM file starts with -----BEGIN PRIVATE KEY----- and ends likewise.',
  '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE\n-----END PUBLIC KEY-----',
  'We use scikit-learn and task-force-based planning.',
  'He plays sk-8 and AKIA is a music group.',
  '我上个月搬到了波尔图，喜欢大海。',
  'В прошлом месяце Аня переехала в Порту.',
  "password = request.form['password']",
  'password_hash = db.Column(db.String(128), nullable=False)',
  'password: ${DB_PASSWORD}, or --password <your-password>, or {password}',
  'const total = items.reduce((sum, item) => sum + item.price, 0);',
  '🔑 means key',
  '',
];
