// Who of the staff is at a table, for those who may know.
import { data, GET } from "../../api/client";
import type { Staff } from "../../api/schema";

/** Whoever is signed on at a table. Nobody for those who are no staff there: they name a number. */
export async function staffAt(table: number): Promise<Staff[]> {
  try {
    // The server answers with the fullest view that one may have.
    const { view } = await data(GET("/api/tables/{table}/view", { params: { path: { table } } }));
    return "desk" in view ? view.desk.staff : [];
  } catch {
    return [];
  }
}
