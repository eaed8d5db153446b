-- Who leads, by this server's clock: one row. The term counts how often it was taken.
CREATE TABLE croupier_lease (
    holder       TEXT,
    address      TEXT,
    term         BIGINT      NOT NULL,
    renewed      TIMESTAMPTZ NOT NULL,
    milliseconds BIGINT      NOT NULL
);
INSERT INTO croupier_lease VALUES (NULL, NULL, 0, clock_timestamp(), 0);

-- What nodes say of themselves. Nothing rests on it.
CREATE TABLE croupier_node (
    name     TEXT        PRIMARY KEY,
    address  TEXT        NOT NULL,
    role     TEXT        NOT NULL,
    epoch    BIGINT      NOT NULL,
    position BIGINT      NOT NULL,
    version  TEXT        NOT NULL,
    seen     TIMESTAMPTZ NOT NULL
);
