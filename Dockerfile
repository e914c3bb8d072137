# The bot in a container: a virtual environment, a user of its own, the games in a volume.
ARG BASE=python:3.11-slim
FROM ${BASE} AS build
WORKDIR /src
COPY pyproject.toml README.md ./
COPY engine engine
COPY titles titles
COPY renderers renderers
COPY storage storage
COPY table table
COPY bot bot
RUN python3 -m venv /venv && /venv/bin/pip install --no-cache-dir --disable-pip-version-check .

ARG BASE=python:3.11-slim
FROM ${BASE}
COPY --from=build /venv /venv
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin kursbuch \
    && mkdir -p /data && chown kursbuch:kursbuch /data
USER 10001
ENV KURSBUCH_DATA=/data KURSBUCH_HEALTH_PORT=8080 PYTHONUNBUFFERED=1
VOLUME ["/data"]
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["/venv/bin/python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8080/health', timeout=4)"]
ENTRYPOINT ["/venv/bin/kursbuch"]
CMD ["run"]
