// The browser UI of Croupier. It holds no rules: it shows the views that the server sends to whoever looks, and
// offers what those views say is allowed.
import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";

const target = document.getElementById("app");
if (target !== null) mount(App, { target });
