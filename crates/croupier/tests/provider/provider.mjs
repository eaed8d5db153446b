// An identity provider for the tests: oidc-provider, as it is. Who signs in is told
// beforehand (POST /next), and so is what is wrong with the id token that is handed out then.
//
// node provider.mjs FOLDER ADDRESS-OF-THE-FLOOR: FOLDER has oidc-provider in its node_modules. It prints its address.
import { createServer } from "node:http";
import { pathToFileURL } from "node:url";

const [folder, floor] = process.argv.slice(2);
const load = (name, file) => import(pathToFileURL(`${folder}/node_modules/${name}/${file}`));
const { default: Provider } = await load("oidc-provider", "lib/index.js");
const jose = await load("jose", "dist/webapi/index.js");

const pair = async (kid, alg) => {
  const { privateKey } = await jose.generateKeyPair(alg, { extractable: true });
  return { ...(await jose.exportJWK(privateKey)), kid, alg, use: "sig" };
};
const keys = { RS256: await pair("rsa", "RS256"), ES256: await pair("ec", "ES256") };
const stranger = await pair("rsa", "RS256");

// What the next sign-in is: who, how, and what is wrong with its token.
let next = { account: "anna-7", alg: "RS256" };

const server = createServer();
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const issuer = `http://127.0.0.1:${server.address().port}`;

const client = (id, alg) => ({
  client_id: id,
  client_secret: "a secret between two",
  redirect_uris: [`${floor}/sign-in/provider`],
  application_type: "native",
  backchannel_logout_uri: `${floor}/api/sign-in/provider/logout`,
  backchannel_logout_session_required: true,
  id_token_signed_response_alg: alg,
});
const provider = new Provider(issuer, {
  clients: [client("floor", "RS256"), client("floor-ec", "ES256")],
  jwks: { keys: [keys.RS256, keys.ES256] },
  cookies: { keys: ["a key of the test"] },
  features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
  acrValues: ["two"],
  claims: { openid: ["sub"], acr: null, amr: null },
  conformIdTokenClaims: false,
  pkce: { required: () => true },
  interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
  findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  async loadExistingGrant(ctx) {
    const grant = new ctx.oidc.provider.Grant({
      clientId: ctx.oidc.client.clientId,
      accountId: ctx.oidc.session.accountId,
    });
    grant.addOIDCScope("openid");
    await grant.save();
    return grant;
  },
});
provider.on("server_error", (_, error) => console.error(error));
provider.on("backchannel.error", (_, error) => console.error(error));

// Faults are planted where tokens leave the provider, and signed as its own are unless it is the signature.
provider.use(async (ctx, following) => {
  await following();
  if (ctx.oidc?.route !== "token" || ctx.body?.id_token === undefined) return;
  const claims = { ...jose.decodeJwt(ctx.body.id_token), ...next.claims };
  const key = next.stranger ? stranger : keys[next.alg];
  if (next.claims === undefined && !next.stranger && !next.unsigned) return;
  const header = { alg: next.alg, kid: key.kid };
  if (next.unsigned) {
    const part = (value) => jose.base64url.encode(JSON.stringify(value));
    ctx.body.id_token = `${part({ alg: "none" })}.${part(claims)}.`;
  } else {
    ctx.body.id_token = await new jose.SignJWT(claims).setProtectedHeader(header).sign(await jose.importJWK(key, next.alg));
  }
});

const handle = provider.callback();
server.on("request", async (request, response) => {
  if (request.url === "/next") {
    let text = "";
    for await (const part of request) text += part;
    next = JSON.parse(text);
    response.end("{}");
  } else if (request.url === "/mint") {
    // A token with any claims, for what no provider would send.
    let text = "";
    for await (const part of request) text += part;
    const { claims, strange } = JSON.parse(text);
    const key = strange ? stranger : keys.RS256;
    const token = new jose.SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: key.kid, typ: "logout+jwt" });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ token: await token.sign(await jose.importJWK(key, "RS256")) }));
  } else if (request.url.startsWith("/interaction/")) {
    const { prompt } = await provider.interactionDetails(request, response);
    const login = { accountId: next.account, acr: next.acr, amr: next.amr, remember: false };
    const result = prompt.name === "login" ? { login } : { consent: {} };
    await provider.interactionFinished(request, response, result);
  } else {
    handle(request, response);
  }
});
console.log(`provider at ${issuer}`);
