// How fast a table is there and how smoothly it moves, with the release build on a machine that does nothing else.
// Not a test: what is late on a busy machine is not wrong.
import pictures from "./pictures.config";

export default { ...pictures, testMatch: "speed.ts" };
