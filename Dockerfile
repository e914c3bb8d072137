# The bot in a container: a virtual environment, a user of its own, the games in a volume (docs/hosting.md).
# To build on exactly the same base every time: --build-arg BASE=python:3.11-slim@sha256:…
ARG BASE=python:3.11-slim
FROM ${BASE} AS build
WORKDIR /src
# Only what the lock files name, and only if its hash is the one they say.
COPY locks locks
RUN python3 -m venv /build && /build/bin/pip install --no-cache-dir --disable-pip-version-check \
        --require-hashes -r locks/build.txt \
    && python3 -m venv /venv && /venv/bin/pip install --no-cache-dir --disable-pip-version-check \
        --require-hashes -r locks/run.txt
COPY pyproject.toml README.md ./
COPY catalogue catalogue
COPY engine engine
COPY titles titles
COPY renderers renderers
COPY storage storage
COPY table table
COPY bot bot
COPY docs/ledger docs/ledger
RUN /build/bin/pip wheel --no-deps --no-build-isolation --no-cache-dir --wheel-dir /wheels . \
    && /venv/bin/pip install --no-deps --no-index --no-cache-dir --disable-pip-version-check /wheels/*.whl

FROM ${BASE}
COPY --from=build /venv /venv
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin kursbuch \
    && mkdir -p /data && chown kursbuch:kursbuch /data
# The health endpoint is for the container's own network; nothing outside sees it unless the port is published.
ENV KURSBUCH_DATA=/data \
    KURSBUCH_HEALTH_HOST=0.0.0.0 \
    KURSBUCH_HEALTH_PORT=8080 \
    PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1
WORKDIR /data
USER 10001
VOLUME ["/data"]
EXPOSE 8080
# Not urllib: it would ask a proxy that is set for the container.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["/venv/bin/python", "-c", "\
import http.client, os, sys; \
asked = http.client.HTTPConnection('127.0.0.1', int(os.environ['KURSBUCH_HEALTH_PORT']), timeout=4); \
asked.request('GET', '/health'); \
sys.exit(asked.getresponse().status != 200)"]
ENTRYPOINT ["/venv/bin/kursbuch"]
CMD ["run"]
